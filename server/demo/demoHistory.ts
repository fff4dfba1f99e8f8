import type { Domain } from '#contract/domains/domain.ts';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import { severityFor } from '#contract/receivers/severity.ts';
import { works } from '#contract/domains/recordStatus.ts';
import { must } from '#contract/values/must.ts';
import { insertOwnRows } from '../database/insertRows.ts';
import type { NewRow, Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { CheckedLine } from '../domains/checks/checkedLine.ts';
import { foundIn, isSameFinding, type SpanRow, toStored } from '../domains/history/moveSpans.ts';
import { type Look, looksOf } from '../domains/history/subjects.ts';
import { findDomainByUuid } from '../domains/store.ts';
import { updateStanding } from '../domains/updateStanding.ts';
import { type DemoDestination, putDemoDestination, putDemoMessage } from './demoNotifications.ts';
import { type Random, seededRandom } from './seededRandom.ts';

// What the checks of 90 days would have left, given what a check finds now.

const SEED = 20_260_405;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 90;

/** Domains to which something happened, by their place in the list. */
const LOST_DMARC = 5;
const WEAKER_DMARC = 1;
const OUTAGE = 10;
const ROTATION = 20;
const NOT_LOOKED_AT = 13;
const ACCEPTED = 6;

/** How many hours ago the wrong records of these domains broke. Those of others were never right. */
const BROKE: Readonly<Record<number, number>> = { 3: 14, 12: 6 * 24, 17: 3 * 24, 22: 2 * 24 };

type Span = Omit<SpanRow, 'workspace_id'>;
type Incident = NewRow<'incidents'>;

/** A domain, what a check of it finds, and the time from which it was checked. */
type Watched = { domain: Domain; looks: readonly Look[]; since: number; checkedAt: number };

export async function putDemoHistory(
  scope: Scope,
  checked: readonly { domain: Domain; lines: readonly CheckedLine[] }[],
  now: number,
): Promise<void> {
  const random = seededRandom(SEED);
  const destination = await putDemoDestination(scope, random, now);
  for (const [index, { domain, lines }] of checked.entries()) {
    const watched: Watched = {
      domain,
      looks: looksOf(lines, domain, domain.dns).map(withoutTimes),
      since: Math.max(Date.parse(domain.created_at), now - DAYS * DAY) + index * MINUTE,
      checkedAt: now - (index + 3) * MINUTE,
    };
    const spans = closeGaps([...past(watched, index), ...spansOf(watched)]);
    await insertOwnRows(scope, 'domain_spans', spans);
    const accepted = index === ACCEPTED ? await accept(scope, random, watched) : null;
    await putIncidents(scope, random, { watched, spans, destination, accepted, hasOutage: index === OUTAGE });
    const changes = spans.filter(({ is_change }) => is_change === 1).map(({ started_at }) => started_at);
    const changed_at = changes.length === 0 ? null : Math.max(...changes);
    const checkedRow = { checked_at: watched.checkedAt, changed_at, next_check_at: watched.checkedAt + DAY };
    await scope.update('domains').set(checkedRow).where('uuid', '=', domain.uuid).execute();
    await updateStanding(scope, must(await findDomainByUuid(scope, domain.uuid)));
  }
}

/** The clock of the machine is in none, so that the demo is the same everywhere. */
function withoutTimes(look: Look): Look {
  const diagnosis = look.finding.diagnosis.replace(/ until \d\d:\d\d[^.]*/, '');
  return { ...look, finding: { ...look.finding, diagnosis, until: null } };
}

/** What's found now, since the first check. */
function spansOf({ domain, looks, since }: Watched): Span[] {
  return looks.map((look) => spanOf(domain, look, since, null));
}

function spanOf(domain: Domain, { kind, subject, finding }: Look, started_at: number, ended_at: number | null): Span {
  const none = { previous_result: null, previous_code: null, previous_found: null, previous_ended_at: null };
  const stored = toStored(finding);
  return { domain_uuid: domain.uuid, subject, kind, ...stored, started_at, ended_at, is_change: 0, ...none };
}

/** What was found before, of those to which something happened. */
function past(watched: Watched, index: number): Span[] {
  const { domain, looks, since, checkedAt } = watched;
  const before = (look: Look, finding: Partial<Finding>, from: number, to: number) =>
    spanOf(domain, { ...look, finding: { ...look.finding, ...finding } }, from, to);
  const broke = BROKE[index];
  if (broke !== undefined) {
    const wrong = looks.filter(({ kind, finding }) => kind === 'record' && finding.result === 'fail');
    return wrong.map((look) => before(look, right(look, domain), since, checkedAt - broke * HOUR));
  }
  if (index === LOST_DMARC || index === WEAKER_DMARC) {
    const look = must(looks.find(({ subject }) => subject === 'dmarc'));
    const policy = index === LOST_DMARC ? 'quarantine' : 'reject';
    const value = `v=DMARC1; p=${policy}; rua=mailto:dmarc@${domain.name}`;
    const diagnosis = `_dmarc.${domain.name} has a DMARC record.`;
    const days = index === LOST_DMARC ? 12 : 4;
    return [
      before(look, { ...publishing(look, [value]), code: 'DMARC_APPLIES', diagnosis }, since, checkedAt - days * DAY),
    ];
  }
  if (index === OUTAGE) {
    const look = mxOf(looks);
    const begin = checkedAt - 20 * DAY;
    return [before(look, {}, since, begin), before(look, missing(look), begin + HOUR, begin + 4 * HOUR)];
  }
  if (index === ROTATION) {
    const look = keyOf(looks);
    const old = { ...look, subject: `CNAME s2026a._domainkey.${domain.name}` };
    return [before(old, publishing(old, ['s2026a.dkim.mail.example.net']), since, checkedAt - 7 * DAY)];
  }
  if (index === NOT_LOOKED_AT) return looks.map((look) => before(look, {}, since, checkedAt - 37 * DAY));
  return [];
}

const mxOf = (looks: readonly Look[]) => must(looks.find(({ purpose }) => purpose === 'mail_from'));
const keyOf = (looks: readonly Look[]) => must(looks.find(({ purpose }) => purpose === 'dkim'));
const nameIn = (subject: string) => subject.split(' ')[1] ?? '';

/** A record as it's listed. */
function right(look: Look, { dns }: Domain): Partial<Finding> {
  const name = nameIn(look.subject);
  const listed = must(dns.find((record) => look.subject === `${record.type} ${record.name}`));
  return { ...publishing(look, [listed.value]), code: 'MATCH', diagnosis: `${name} is published and correct.` };
}

/** What is right, and as the same servers would have shown it. */
function publishing({ subject, kind, finding }: Look, found: string[]): Partial<Finding> {
  const [type = '', name = ''] = kind === 'record' ? subject.split(' ') : ['TXT', `_dmarc.${finding.zone ?? ''}`];
  const records = found.map((value) => ({ name, type, value, ttl: 300 }));
  const evidence = finding.evidence.map((one) => ({ ...one, answer: 'NOERROR', records }));
  return { result: 'ok', found, expected: null, fix: null, turn: null, cause: null, evidence };
}

function missing({ subject, finding }: Look): Partial<Finding> {
  const evidence = finding.evidence.map((one) => ({ ...one, answer: 'NXDOMAIN', records: [] }));
  const diagnosis = `Nothing exists at ${nameIn(subject)}.`;
  return { result: 'fail', code: 'NAME_MISSING', found: [], turn: 'owner', fix: null, diagnosis, evidence };
}

/**
 * A current span begins an hour after what was found before; where that is the same, nobody looked for a while. Spans of
 * new keys begin two weeks ago.
 */
function closeGaps(spans: readonly Span[]): Span[] {
  const sorted = spans.toSorted((one, other) => (one.ended_at ?? Infinity) - (other.ended_at ?? Infinity));
  return sorted.map((span, at) => {
    const earlier = sorted.slice(0, at).findLast(({ subject }) => subject === span.subject);
    if (earlier === undefined) return atItsTime(withNewKey(span, sorted));
    const isSame = isSameFinding(earlier, span);
    const previous = {
      previous_result: earlier.result,
      previous_code: earlier.code,
      previous_found: foundIn(earlier),
      previous_ended_at: earlier.ended_at,
    };
    const started_at = must(earlier.ended_at) + (isSame ? 9 * DAY : HOUR);
    return atItsTime({ ...span, ...previous, is_change: Number(!isSame), started_at });
  });
}

/** The evidence is that of the first look. */
function atItsTime(span: Span): Span {
  const evidence = JSON.parse(span.evidence) as Finding['evidence'];
  const at = timestamp(span.started_at);
  return { ...span, evidence: JSON.stringify(evidence.map((one) => ({ ...one, at }))) };
}

/** A key that replaces another one was published a week before that went. */
function withNewKey(span: Span, all: readonly Span[]): Span {
  const old = all.find(({ subject }) => subject.startsWith('CNAME s2026a.'));
  const isNew = old !== undefined && span.ended_at === null && span.subject === firstKey(all);
  return isNew ? { ...span, started_at: must(old.ended_at) - 7 * DAY } : span;
}

const firstKey = (spans: readonly Span[]) =>
  spans.find(({ subject, ended_at }) => ended_at === null && subject.includes('._domainkey.'))?.subject;

async function accept(scope: Scope, random: Random, { domain, looks, checkedAt }: Watched): Promise<string> {
  const { subject, finding } = must(looks.find((look) => !works(look.finding.result) && look.kind === 'record'));
  const row = {
    uuid: random.uuid(),
    domain_uuid: domain.uuid,
    subject,
    code: finding.code,
    found: foundIn(toStored(finding)),
    reason: 'The agency moves this domain to the new DNS host in January.',
    accepted_at: checkedAt - 9 * DAY,
    until: checkedAt + 50 * DAY,
    ended_at: null,
    actor_kind: 'command' as const,
    actor: 'command',
    actor_name: null,
  };
  await scope.insert('acceptances', row).execute();
  return subject;
}

type Happened = {
  watched: Watched;
  spans: readonly Span[];
  destination: DemoDestination;
  /** The subject of an accepted fault. */
  accepted: string | null;
  hasOutage: boolean;
};

/** Open ones for what's wrong now, and a closed one for the outage. */
async function putIncidents(scope: Scope, random: Random, happened: Happened): Promise<void> {
  const { watched, spans, accepted, hasOutage } = happened;
  const { looks, checkedAt } = watched;
  const wrong = looks.filter(({ subject, finding: { result } }) => subject !== accepted && /fail|warn/.test(result));
  for (const look of wrong) {
    const span = spans.find(({ subject, ended_at }) => ended_at === null && subject === look.subject);
    await putIncident(scope, random, happened, look, must(span).started_at);
  }
  if (!hasOutage) return;
  const look = mxOf(looks);
  const begin = checkedAt - 20 * DAY + HOUR;
  const lost = { ...look, finding: { ...look.finding, ...missing(look) } };
  await putIncident(scope, random, happened, lost, begin, begin + 4 * HOUR + 10 * MINUTE);
}

async function putIncident(
  scope: Scope,
  random: Random,
  { watched: { domain }, destination }: Happened,
  { subject, purpose, finding }: Look,
  failed_at: number,
  closed_at: number | null = null,
): Promise<void> {
  const { result, code, turn, cause } = toStored(finding);
  const opened_at = failed_at + 10 * MINUTE;
  const incident: Incident = {
    uuid: random.uuid(),
    domain_uuid: domain.uuid,
    subject,
    kind: result === 'fail' ? 'broken' : 'weak',
    state: closed_at === null ? 'open' : 'closed',
    code,
    turn,
    cause,
    severity: severityFor({ purpose, result, code }, { sendsBulk: true }),
    failed_at,
    opened_at,
    right_at: closed_at === null ? null : closed_at - 10 * MINUTE,
    closed_at,
    is_unstable: 0,
  };
  await scope.insert('incidents', incident).execute();
  await putDemoMessage(scope, random, destination, domain, incident, 'incident_opened', opened_at);
  if (closed_at !== null)
    await putDemoMessage(scope, random, destination, domain, incident, 'incident_closed', closed_at);
}
