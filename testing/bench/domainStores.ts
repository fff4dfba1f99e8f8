import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Finding } from '../../contract/domains/dnsCheck.ts';
import { must } from '../../contract/values/must.ts';
import type { Database } from '../../server/database/database.ts';
import { insertOwnRows } from '../../server/database/insertRows.ts';
import type { Scope } from '../../server/database/scope.ts';
import type { Workspace } from '../../server/database/workspace.ts';
import { seededRandom } from '../../server/demo/seededRandom.ts';
import { foundIn, type SpanRow, toStored } from '../../server/domains/history/moveSpans.ts';
import type { IncidentRow } from '../../server/domains/history/storeIncidents.ts';
import { putDomains } from '../../server/domains/putDomains.ts';
import { updateStanding } from '../../server/domains/updateStanding.ts';
import { openStores, START, type Stores } from './stores.ts';

// Domains with a year of history: 12 subjects each, 3 changes a domain on average, and one in 500 that changes hundreds of times.

export const DOMAINS = 10_000;
export const DAY = 86_400_000;
const HOUR = 3_600_000;
const DOMAINS_AT_ONCE = 100;
const ROWS_AT_ONCE = 200;
/** Every so many domains, one flaps. Its fault is the rare one. */
const FLAPPING = 500;
const FLAPS = 150;
/** The first domain, which flaps, and the next, which doesn't. */
export const FLAPPING_DOMAIN = '00000000-0000-4000-8000-000000000000';
export const CALM_DOMAIN = '00000000-0000-4000-8000-000000000001';
const NAMED = [FLAPPING_DOMAIN, CALM_DOMAIN];
/** In the name of one domain in a hundred. */
export const SEARCHED = 'parcel';
/** What a quarter of the domains are advised, and the fault of those that flap. */
export const FREQUENT_CODE = 'DMARC_REPORTS_NOT_LISTED';
export const RARE_CODE = 'DKIM_KEY_MISSING';
export const FREQUENT_PROVIDER = 'ses';
export const RARE_PROVIDER = 'relay';
const PROVIDERS = [FREQUENT_PROVIDER, FREQUENT_PROVIDER, 'mailgun', 'postmark', 'sendgrid'];

/** The indexes of records, NS, DS and SOA among the subjects. */
const CHANGING = [0, 1, 2, 3, 4, 8, 9, 10];

type Random = ReturnType<typeof seededRandom>;
type Subject = Pick<SpanRow, 'subject' | 'kind'>;
type Fault = Pick<Finding, 'result' | 'code' | 'turn'>;

const RIGHT: Fault = { result: 'ok', code: 'MATCH', turn: null };
const MISSING: Fault = { result: 'fail', code: 'NAME_MISSING', turn: 'owner' };
const FLAP: Fault = { result: 'fail', code: RARE_CODE, turn: 'provider' };
const ADVISED: Fault = { result: 'warn', code: FREQUENT_CODE, turn: 'owner' };

/** A domain, and the subjects that change: for each the times of its changes, from right to wrong and back. */
type Plan = {
  uuid: string;
  name: string;
  provider: string;
  isAdvised: boolean;
  fault: Fault;
  /** Of the subject with that index. */
  changes: Map<number, number[]>;
};

function planDomain(index: number, end: number, random: Random): Plan {
  const word = index % 100 === 7 ? SEARCHED : random.pick(['alder', 'birch', 'cedar', 'elm', 'larch', 'maple']);
  const isFlapping = index % FLAPPING === 0;
  const year = (time: number) => end - 364 * DAY + Math.floor(time * 360 * DAY);
  const changes = new Map<number, number[]>();
  // An outage is two changes.
  for (let outage = random.below(4); outage > 0; outage--) {
    const start = year(random.next());
    changes.set(random.pick(CHANGING), [start, Math.min(start + HOUR * (6 + random.below(90)), end - HOUR)]);
  }
  if (random.chance(0.04)) changes.set(random.below(5), [end - HOUR * (1 + random.below(700))]);
  if (isFlapping)
    changes.set(0, Array.from({ length: 2 * FLAPS + 1 }, (_, flap) => end - HOUR * (4 + 7 * flap)).toReversed());
  return {
    uuid: NAMED[index] ?? random.uuid(),
    name: `${word}-${random.below(10_000)}-${index}.example`,
    provider: index % 100 === 50 ? RARE_PROVIDER : random.pick(PROVIDERS),
    isAdvised: random.chance(0.25),
    fault: isFlapping ? FLAP : MISSING,
    changes,
  };
}

const recordsOf = (name: string) => [
  ...['k1', 'k2', 'k3'].map((key) => ({
    type: 'CNAME',
    name: `${key}._domainkey.${name}`,
    value: `${key}.dkim.mailprovider.example`,
    is_valid: true,
  })),
  { type: 'MX', name: `bounce.${name}`, value: '10 feedback.mailprovider.example', is_valid: true },
  { type: 'TXT', name: `bounce.${name}`, value: 'v=spf1 include:spf.mailprovider.example ~all', is_valid: true },
];

const DMARC: Subject = { kind: 'advice', subject: 'dmarc' };
const OTHERS: readonly Subject[] = [
  DMARC,
  ...['alignment', 'mail_from_mx'].map((subject): Subject => ({ kind: 'advice', subject })),
  ...['ns', 'ds', 'soa', 'mx'].map((subject): Subject => ({ kind: 'watch', subject })),
];

function subjectsOf({ name }: Plan): Subject[] {
  return [
    ...recordsOf(name).map((record): Subject => ({ kind: 'record', subject: `${record.type} ${record.name}` })),
    ...OTHERS,
  ];
}

/** With the evidence of a resolver and three name servers. */
function findingOf({ name }: Plan, fault: Fault, found: string[]): Finding {
  const record = { name, type: 'CNAME', value: found[0] ?? '', ttl: 300 };
  return {
    ...fault,
    expected: 'k1.dkim.mailprovider.example',
    found,
    diagnosis: 'A sentence of about eighty characters that says what is published at this name.',
    cause: null,
    confirmed_by: { authoritative: 3, of: 3, over_tcp: true, resolvers: 1, is_gone: found.length === 0 },
    zone: name,
    fix: null,
    until: null,
    evidence: Array.from({ length: 4 }, (_, server) => ({
      server: server === 0 ? null : `ns${server}.dnshost.example`,
      address: `192.0.2.${server}`,
      at: '2026-11-01T09:00:00.000Z',
      answer: 'NOERROR',
      records: found.length === 0 ? [] : [record],
    })),
    dig: `dig +norecurse @192.0.2.1 CNAME ${name}`,
  };
}

type NewSpan = Omit<SpanRow, 'workspace_id'>;

/** The spans of a subject, the oldest first. A look is at most an hour before a change. */
function spansOf(plan: Plan, { subject, kind }: Subject, changes: readonly number[], end: number): NewSpan[] {
  const isAdvised = subject === DMARC.subject && plan.isAdvised;
  const starts = [end - 365 * DAY, ...changes];
  let previous: NewSpan | null = null;
  return starts.map((started_at, place) => {
    const isWrong = place % 2 === 1;
    const faultOfKind: Fault = kind === 'watch' ? RIGHT : plan.fault;
    const fault = isAdvised ? ADVISED : isWrong ? faultOfKind : RIGHT;
    const value = isWrong ? (kind === 'watch' ? ['other.mailprovider.example'] : []) : ['k1.dkim.mailprovider.example'];
    const next = starts[place + 1];
    const span: NewSpan = {
      domain_uuid: plan.uuid,
      subject,
      kind,
      started_at,
      ended_at: next === undefined ? null : next - HOUR / 2,
      previous_result: previous?.result ?? null,
      previous_code: previous?.code ?? null,
      previous_found: previous && foundIn(previous),
      previous_ended_at: previous?.ended_at ?? null,
      is_change: Number(previous !== null),
      ...toStored(findingOf(plan, fault, value)),
    };
    previous = span;
    return span;
  });
}

/** One for each outage. */
function incidentsOf(spans: readonly NewSpan[]): Omit<IncidentRow, 'workspace_id'>[] {
  return spans
    .filter(({ result }) => result === 'fail')
    .map(({ domain_uuid, subject, code, turn, cause, started_at, ended_at }) => ({
      uuid: randomUUID(),
      domain_uuid,
      subject,
      kind: 'broken',
      state: ended_at === null ? 'open' : 'closed',
      code,
      turn,
      cause,
      severity: 'refuses',
      failed_at: started_at,
      opened_at: started_at + HOUR / 6,
      right_at: ended_at && ended_at + HOUR / 2,
      closed_at: ended_at && ended_at + HOUR,
      is_unstable: 0,
    }));
}

/** Of the advice: one that holds, or one that is over. */
function acceptanceOf(span: NewSpan, isOver: boolean, end: number) {
  return {
    uuid: randomUUID(),
    domain_uuid: span.domain_uuid,
    subject: span.subject,
    code: span.code,
    found: foundIn(span),
    reason: 'The domain sends no mail before next year.',
    accepted_at: end - 60 * DAY,
    until: end + 60 * DAY,
    ended_at: isOver ? end - 30 * DAY : null,
    actor_kind: 'command' as const,
    actor: 'admin',
    actor_name: null,
  };
}

export async function fillDomains(db: Database, workspace: Workspace, count: number): Promise<void> {
  const random = seededRandom(3);
  const end = Date.now();
  const plans = Array.from({ length: count }, (_, index) => planDomain(index, end, random));
  for (let first = 0; first < count; first += DOMAINS_AT_ONCE) {
    const chunk = plans.slice(first, first + DOMAINS_AT_ONCE);
    await db.write(workspace, (scope) => insertDomains(scope, chunk, end), { isBulk: true });
  }
  await db.analyze();
  if ((await db.space()) === null) await sql`vacuum analyze`.execute(db.unscoped.kysely);
}

async function insertDomains(scope: Scope, plans: readonly Plan[], end: number): Promise<void> {
  const right = { verified: true, mail_from_verified: true, status: 'completed', verification: 'completed' };
  const domains = plans.map(({ uuid, name, provider }) => {
    return { uuid, name, provider, ...right, mail_from_domain: `bounce.${name}`, dns: recordsOf(name) };
  });
  await putDomains(scope, domains, START);
  const ofDomains = plans.map((plan) =>
    subjectsOf(plan).map((subject, index) => spansOf(plan, subject, plan.changes.get(index) ?? [], end)),
  );
  const spans = ofDomains.flat(2);
  const incidents = incidentsOf(spans);
  const advised = spans.filter(({ code }) => code === FREQUENT_CODE);
  await insertOwnRows(
    scope,
    'acceptances',
    advised.flatMap((span, index) => (index % 4 < 2 ? acceptanceOf(span, index % 4 === 1, end) : [])),
  );
  for (let at = 0; at < spans.length; at += ROWS_AT_ONCE)
    await insertOwnRows(scope, 'domain_spans', spans.slice(at, at + ROWS_AT_ONCE));
  for (let at = 0; at < incidents.length; at += ROWS_AT_ONCE)
    await insertOwnRows(scope, 'incidents', incidents.slice(at, at + ROWS_AT_ONCE));
  for (const [index, { uuid }] of plans.entries()) {
    const changed_at = Math.max(
      ...must(ofDomains[index])
        .flat()
        .map((span) => span.started_at),
    );
    const row = await scope
      .update('domains')
      .set({ checked_at: end - index * 60_000, changed_at })
      .where('uuid', '=', uuid)
      .returningAll()
      .executeTakeFirstOrThrow();
    await updateStanding(scope, row);
  }
}

export function openDomainStores(folder: string): Promise<Stores> {
  return openStores(folder, { name: 'domains', sizes: [DOMAINS], fill: fillDomains });
}
