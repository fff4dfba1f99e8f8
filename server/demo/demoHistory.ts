import type { Domain } from '#contract/domain.ts';
import type { Finding } from '#contract/dnsCheck.ts';
import { severityFor } from '#contract/receivers/severity.ts';
import { works } from '#contract/recordStatus.ts';
import { must } from '#contract/values/must.ts';
import type { MessageKind } from '#contract/notifications.ts';
import { insertOwnRows } from '../database/insertRows.ts';
import type { NewRow, Scope } from '../database/scope.ts';
import { timeOrNull, timestamp } from '../database/timestamp.ts';
import type { CheckedLine } from '../domains/checkedLine.ts';
import { foundIn, toStored } from '../domains/history/moveSpans.ts';
import { type Look, looksOf } from '../domains/history/subjects.ts';
import { findDomainByUuid } from '../domains/store.ts';
import { updateStanding } from '../domains/updateStanding.ts';
import { type Random, seededRandom } from './seededRandom.ts';

// What the checks of 90 days would have left, given what a check finds now.

const SEED = 20_260_405;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const DAYS = 90;

/** Domains to which something happened, by their place in the list. */
const LOST_DMARC = 5;
const OUTAGE = 10;
const ROTATION = 20;
const ACCEPTED = 6;

type Span = NewRow<'domain_spans'> & { started_at: number; ended_at: number | null };
type Incident = NewRow<'incidents'>;

/** A domain, what a check of it finds, and the time from which it was checked. */
type Watched = { domain: Domain; looks: readonly Look[]; since: number; checkedAt: number };

export async function putDemoHistory(
  scope: Scope,
  checked: readonly { domain: Domain; lines: readonly CheckedLine[] }[],
  now: number,
): Promise<void> {
  const random = seededRandom(SEED);
  for (const [index, { domain, lines }] of checked.entries()) {
    const watched: Watched = {
      domain,
      looks: looksOf(lines, domain, domain.dns).map(withoutTimes),
      since: Math.max(Date.parse(domain.created_at), now - DAYS * DAY) + index * MINUTE,
      checkedAt: now - (index + 3) * MINUTE,
    };
    const spans = [...spansOf(watched), ...past(watched, index)];
    await insertOwnRows(scope, 'domain_spans', closeGaps(spans));
    const accepted = index === ACCEPTED ? await accept(scope, random, watched) : null;
    await putIncidents(scope, random, watched, index, accepted);
    const changes = spans.filter(({ is_change }) => is_change === 1).map(({ started_at }) => started_at);
    const changed_at = changes.length === 0 ? null : Math.max(...changes);
    const checkedRow = { checked_at: watched.checkedAt, changed_at };
    await scope.update('domains').set(checkedRow).where('uuid', '=', domain.uuid).execute();
    await updateStanding(scope, must(await findDomainByUuid(scope, domain.uuid)));
  }
}

/** The clock of the machine is in none, so that the demo is the same everywhere. */
function withoutTimes(look: Look): Look {
  const diagnosis = look.finding.diagnosis.replace(/ until \d\d:\d\d[^.]*/, '');
  return { ...look, finding: { ...look.finding, diagnosis, until: null, evidence: [] } };
}

/** What's found now, since the first check. */
function spansOf({ domain, looks, since }: Watched): Span[] {
  return looks.map((look) => spanOf(domain, look, since, null));
}

function spanOf(domain: Domain, { kind, subject, finding }: Look, started_at: number, ended_at: number | null): Span {
  const none = { previous_result: null, previous_code: null, previous_found: null, previous_ended_at: null };
  return { domain_uuid: domain.uuid, subject, kind, ...toStored(finding), started_at, ended_at, is_change: 0, ...none };
}

/** What was found before, of those to which something happened. */
function past(watched: Watched, index: number): Span[] {
  const { domain, looks, since, checkedAt } = watched;
  const before = (look: Look, finding: Partial<Finding>, from: number, to: number) =>
    spanOf(
      domain,
      { ...look, finding: { ...look.finding, expected: null, fix: null, turn: null, ...finding } },
      from,
      to,
    );
  if (index === LOST_DMARC) {
    const look = must(looks.find(({ subject }) => subject === 'dmarc'));
    const policy = {
      result: 'ok' as const,
      code: 'DMARC_APPLIES',
      found: ['v=DMARC1; p=quarantine'],
      diagnosis: `_dmarc.${domain.name} has a DMARC record.`,
    };
    return [before(look, policy, since, checkedAt - 12 * DAY)];
  }
  if (index === OUTAGE) {
    const look = mxOf(looks);
    const begin = checkedAt - 20 * DAY;
    return [before(look, {}, since, begin), before(look, missing(look), begin + HOUR, begin + 4 * HOUR)];
  }
  if (index === ROTATION) {
    const look = keyOf(looks);
    const old = { ...look, subject: `CNAME s2026a._domainkey.${domain.name}` };
    return [before(old, { found: ['s2026a.dkim.mail.example.net'] }, since, checkedAt - 7 * DAY)];
  }
  return [];
}

const mxOf = (looks: readonly Look[]) => must(looks.find(({ purpose }) => purpose === 'mail_from'));
const keyOf = (looks: readonly Look[]) => must(looks.find(({ purpose }) => purpose === 'dkim'));

function missing({ subject }: Look): Partial<Finding> {
  const name = subject.split(' ')[1];
  return { result: 'fail', code: 'NAME_MISSING', found: [], turn: 'owner', diagnosis: `Nothing exists at ${name}.` };
}

/** Current spans begin an hour after the last one before them; those of new keys two weeks ago. */
function closeGaps(spans: readonly Span[]): Span[] {
  const sorted = spans.toSorted((one, other) => (one.ended_at ?? Infinity) - (other.ended_at ?? Infinity));
  return sorted.map((span, at) => {
    const earlier = sorted.slice(0, at).findLast(({ subject }) => subject === span.subject);
    if (earlier === undefined) return withNewKey(span, sorted);
    const previous = {
      previous_result: earlier.result,
      previous_code: earlier.code,
      previous_found: foundIn(earlier),
      previous_ended_at: earlier.ended_at,
    };
    return { ...span, ...previous, is_change: 1, started_at: must(earlier.ended_at) + HOUR };
  });
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

/** Open ones for what's wrong now, and a closed one for the outage. */
async function putIncidents(
  scope: Scope,
  random: Random,
  watched: Watched,
  index: number,
  accepted: string | null,
): Promise<void> {
  const { looks, since, checkedAt } = watched;
  const wrong = looks.filter(({ subject, finding: { result } }) => subject !== accepted && /fail|warn/.test(result));
  for (const look of wrong) {
    await putIncident(scope, random, watched, look, { failed_at: since, opened_at: since + 10 * MINUTE });
  }
  if (index !== OUTAGE) return;
  const look = mxOf(looks);
  const begin = checkedAt - 20 * DAY + HOUR;
  const times = { failed_at: begin, opened_at: begin + 10 * MINUTE };
  const lost = { ...look, finding: { ...look.finding, ...missing(look) } };
  await putIncident(scope, random, watched, lost, times, begin + 4 * HOUR + 10 * MINUTE);
}

async function putIncident(
  scope: Scope,
  random: Random,
  { domain }: Watched,
  { subject, purpose, finding }: Look,
  times: { failed_at: number; opened_at: number },
  closed_at: number | null = null,
): Promise<void> {
  const { result, code, turn, cause } = toStored(finding);
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
    ...times,
    right_at: closed_at === null ? null : closed_at - 10 * MINUTE,
    closed_at,
    is_unstable: 0,
  };
  await scope.insert('incidents', incident).execute();
  if (closed_at === null) return;
  await putMessage(scope, random, domain, incident, 'incident_opened', times.opened_at);
  await putMessage(scope, random, domain, incident, 'incident_closed', closed_at);
}

/** One that was planned when nobody wanted messages. */
async function putMessage(
  scope: Scope,
  random: Random,
  { uuid, name }: Domain,
  { uuid: incident, subject, kind, code, turn, cause, severity, failed_at, opened_at, closed_at }: Incident,
  told: MessageKind,
  at: number,
): Promise<void> {
  const body = {
    incident,
    domain: { uuid, name },
    subject,
    kind,
    code,
    turn,
    cause,
    severity,
    failed_at: timestamp(failed_at),
    opened_at: timeOrNull(opened_at ?? null),
    closed_at: told === 'incident_closed' ? timeOrNull(closed_at ?? null) : null,
  };
  const about = cause ?? `${uuid} ${kind} ${subject}`;
  const row = { uuid: random.uuid(), created_at: at, planned_at: at, kind: told, about, incident_uuid: incident };
  await scope
    .insert('messages', { ...row, contact_uuid: null, log_number: null, body: JSON.stringify(body) })
    .execute();
}
