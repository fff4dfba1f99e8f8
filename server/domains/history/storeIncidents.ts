import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type SqlBool } from 'kysely';
import { judgeReceivers } from '#contract/receivers/judgeReceivers.ts';
import { RECEIVERS } from '#contract/receivers/receivers.ts';
import { severityFor } from '#contract/receivers/severity.ts';
import { INCIDENT_KINDS, type IncidentKind } from '#contract/domains/domainHistory.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { must } from '#contract/values/must.ts';
import type { Tables } from '../../database/schema/tables.ts';
import type { Scope } from '../../database/scope.ts';
import { timeOrNull, timestamp } from '../../database/timestamp.ts';
import { queueMessage } from '../../notifications/outbox.ts';
import { toStored } from './moveSpans.ts';
import { type Fault, nextDue, nextIncident, type Observation, type OpenedIncident, type Told } from './nextIncident.ts';
import type { Look } from './subjects.ts';

export type IncidentRow = Selectable<Tables['incidents']>;

/** The rows of one fault of one subject: one that nobody was told of yet, and the last one that was opened. */
type FaultRows = { suspect: IncidentRow | null; last: IncidentRow | null };

type CheckedDomain = { uuid: string; name: string; sends_bulk: number };

/**
 * Moves the incidents of a domain by what a check found, queues what is told, and gives when the next check can open or
 * close one; null if none can. `isAccepted`: whether the fault of a subject is accepted.
 */
export async function storeIncidents(
  scope: Scope,
  domain: CheckedDomain,
  looks: readonly Look[],
  isAccepted: (subject: string) => boolean,
  at: number,
): Promise<number | null> {
  const active = await readActive(scope, domain.uuid);
  const openings = active.size === 0 ? [] : await readOpenings(scope, domain.uuid, at);
  const bySubject = new Map(looks.map((look) => [look.subject, look]));
  const subjects = new Set([...bySubject.keys(), ...Array.from(active.values(), (rows) => subjectOf(rows))]);
  const isAcceptanceOver = await readAcceptancesOver(scope, domain.uuid, active, at);
  const isAllRight = looks.every(({ finding: { result } }) => result !== 'fail' && result !== 'unknown');
  const due: number[] = [];
  for (const subject of subjects) {
    const look = bySubject.get(subject) ?? null;
    const refusedBy = () => findRefusals(looks, subject, domain);
    for (const kind of INCIDENT_KINDS) {
      const rows = active.get(keyOf({ subject, kind })) ?? { suspect: null, last: null };
      const verdict = look === null ? absent(subject, isAllRight) : verdictOf(kind, look, isAccepted(subject));
      if (rows.suspect === null && rows.last === null) {
        if (verdict !== 'failing') continue;
        if (await isBeingSetUp(scope, domain.uuid, { subject, kind }, at)) continue;
      }
      const isGone = look?.finding.confirmed_by?.is_gone === true;
      const seen = { at, verdict, isGone, isAcceptanceOver: isAcceptanceOver(rows.last) };
      const own = openings.filter((row) => row.subject === subject && row.kind === kind);
      const about = { subject, kind, look, refusedBy, sendsBulk: domain.sends_bulk === 1 };
      const fault = await move(scope, domain, about, rows, own, seen);
      due.push(nextDue(fault, seen) ?? Infinity);
    }
  }
  const first = Math.min(...due);
  return first === Infinity ? null : first;
}

const keyOf = ({ subject, kind }: { subject: string; kind: IncidentKind }) => `${kind} ${subject}`;
const subjectOf = ({ suspect, last }: FaultRows) => must(suspect ?? last).subject;

async function readActive(scope: Scope, uuid: string): Promise<Map<string, FaultRows>> {
  const rows = await scope
    .select('incidents')
    .selectAll()
    .where('domain_uuid', '=', uuid)
    // The condition of an index.
    .where(sql<SqlBool>`(state <> 'closed' or is_unstable = 1)`)
    .execute();
  // With `order by`, SQLite would read all incidents of the workspace in that order.
  const inOrder = rows.toSorted((one, other) => one.failed_at - other.failed_at);
  return new Map(
    Array.from(Map.groupBy(inOrder, keyOf), ([key, own]) => [
      key,
      {
        suspect: own.find(({ state }) => state === 'suspect') ?? null,
        last: own.findLast(({ state }) => state !== 'suspect') ?? null,
      },
    ]),
  );
}

const DAY = 24 * 60 * 60_000;

function readOpenings(scope: Scope, uuid: string, at: number) {
  return scope
    .select('incidents')
    .select(['subject', 'kind', 'opened_at'])
    .where('domain_uuid', '=', uuid)
    .where('opened_at', '>', at - DAY)
    .execute();
}

/** Whether a fault that is open was accepted since it was told. */
async function readAcceptancesOver(
  scope: Scope,
  uuid: string,
  active: ReadonlyMap<string, FaultRows>,
  at: number,
): Promise<(last: IncidentRow | null) => boolean> {
  const open = [...active.values()].flatMap(({ last }) => (last === null || last.state === 'closed' ? [] : last));
  if (open.length === 0) return () => false;
  const ended = await scope
    .select('acceptances')
    .select((eb) => ['subject', eb.fn.max('ended_at').as('ended_at')])
    .where('domain_uuid', '=', uuid)
    .where('ended_at', '>', Math.min(...open.map(({ opened_at }) => must(opened_at))))
    // One that ended while the check was on is for the next one.
    .where('ended_at', '<=', at)
    .groupBy('subject')
    .execute();
  if (ended.length === 0) return () => false;
  const told = await scope
    .select('messages')
    .select((eb) => ['incident_uuid', eb.fn.max('created_at').as('told_at')])
    .where(
      'incident_uuid',
      'in',
      open.map((row) => row.uuid),
    )
    .groupBy('incident_uuid')
    .execute();
  const endedAt = new Map(ended.map((row) => [row.subject, Number(row.ended_at)]));
  const toldAt = new Map(told.map((row) => [row.incident_uuid, row.told_at]));
  return (last) => last !== null && (endedAt.get(last.subject) ?? 0) > (toldAt.get(last.uuid) ?? must(last.opened_at));
}

/** Milliseconds that somebody has to publish a record. */
const SET_UP_WITHIN = 3 * DAY;
const RIGHT: Record<IncidentKind, RecordStatus[]> = { broken: ['ok', 'warn'], weak: ['ok'] };

/**
 * Whether a subject was never right, not even as imported, and was checked for the first time so lately that somebody may be
 * setting it up.
 */
async function isBeingSetUp(
  scope: Scope,
  uuid: string,
  { subject, kind }: { subject: string; kind: IncidentKind },
  at: number,
): Promise<boolean> {
  const spans = scope.select('domain_spans').where('domain_uuid', '=', uuid).where('subject', '=', subject);
  const before = await spans
    .select('started_at')
    .where('started_at', '<=', at - SET_UP_WITHIN)
    .limit(1)
    .execute();
  if (before.length > 0) return false;
  const right = await spans
    .select('started_at')
    .where((eb) =>
      kind === 'weak'
        ? eb('result', 'in', RIGHT.weak)
        : eb.or([eb('result', 'in', RIGHT.broken), eb('previous_result', 'in', RIGHT.broken)]),
    )
    .limit(1)
    .execute();
  return right.length === 0;
}

const FAILING: Record<IncidentKind, RecordStatus> = { broken: 'fail', weak: 'warn' };

/**
 * A record that isn't listed any more is right. So is advice that isn't given any more, if nothing else fails: without a
 * delegation there's no advice on it, and without a DMARC record none on alignment.
 */
function absent(subject: string, isAllRight: boolean): Observation['verdict'] {
  return isRecord(subject) || isAllRight ? 'right' : 'unclear';
}

const isRecord = (subject: string) => subject.includes(' ');

function verdictOf(kind: IncidentKind, { finding: { result } }: Look, isAccepted: boolean): Observation['verdict'] {
  if (result === FAILING[kind]) return isAccepted ? 'accepted' : 'failing';
  return result === 'ok' || (kind === 'broken' && result === 'warn') ? 'right' : 'unclear';
}

type Subject = {
  subject: string;
  kind: IncidentKind;
  look: Look | null;
  sendsBulk: boolean;
  /** The receivers that refuse mail because of it. */
  refusedBy: () => string[];
};

async function move(
  scope: Scope,
  domain: CheckedDomain,
  about: Subject,
  { suspect, last }: FaultRows,
  openings: readonly { opened_at: number | null }[],
  seen: Observation,
): Promise<Fault> {
  const before: Fault = { suspectSince: suspect?.failed_at ?? null, last: last && openedOf(last) };
  const times = openings.map(({ opened_at }) => opened_at ?? 0);
  const { fault, told } = nextIncident(before, times, seen);
  const isOpening = fault.last !== null && fault.last.openedAt !== before.last?.openedAt;
  const current = isOpening || fault.suspectSince !== null ? suspect : last;
  const row = rowOf(about, current, fault, isOpening);
  if (isOpening && last?.is_unstable === 1) {
    await scope.update('incidents').set({ is_unstable: 0 }).where('uuid', '=', last.uuid).execute();
  }
  if (suspect !== null && fault.suspectSince === null && !isOpening) {
    await scope.delete('incidents').where('uuid', '=', suspect.uuid).execute();
  }
  if (row !== null) await writeIncident(scope, domain, current, row);
  if (told !== null && row !== null) await tell(scope, domain, { row, about, told }, seen.at);
  return fault;
}

const openedOf = (row: IncidentRow): OpenedIncident => ({
  failedAt: row.failed_at,
  openedAt: must(row.opened_at),
  rightAt: row.right_at,
  closedAt: row.closed_at,
  isUnstable: row.is_unstable === 1,
});

type IncidentValues = Omit<IncidentRow, 'workspace_id' | 'domain_uuid'>;

/** The incident as it is stored after a check; null if there is none. */
function rowOf(
  { subject, kind, look, sendsBulk }: Subject,
  current: IncidentRow | null,
  { suspectSince, last }: Fault,
  isOpening: boolean,
): IncidentValues | null {
  const isFailing = look?.finding.result === FAILING[kind];
  if (last === null && suspectSince === null) return null;
  const about =
    isFailing || current === null
      ? describe(must(look), sendsBulk)
      : { code: current.code, turn: current.turn, cause: current.cause, severity: current.severity };
  const uuid = current?.uuid ?? randomUUID();
  if (suspectSince !== null && !isOpening) {
    const none = { opened_at: null, right_at: null, closed_at: null, is_unstable: 0 };
    return { uuid, subject, kind, ...about, state: 'suspect', failed_at: suspectSince, ...none };
  }
  const { failedAt, openedAt, rightAt, closedAt, isUnstable } = must(last);
  const isOpen = rightAt === null ? 'open' : 'closing';
  return {
    uuid,
    subject,
    kind,
    ...about,
    state: closedAt === null ? isOpen : 'closed',
    failed_at: failedAt,
    opened_at: openedAt,
    right_at: rightAt,
    closed_at: closedAt,
    is_unstable: Number(isUnstable),
  };
}

function describe({ purpose, finding }: Look, sendsBulk: boolean) {
  const { result, code, turn, cause } = toStored(finding);
  return { code, turn, cause, severity: severityFor({ purpose, result, code }, { sendsBulk }) };
}

/** Writes what differs. */
async function writeIncident(
  scope: Scope,
  domain: CheckedDomain,
  before: IncidentRow | null,
  row: IncidentValues,
): Promise<void> {
  if (before === null) await scope.insert('incidents', { ...row, domain_uuid: domain.uuid }).execute();
  else if (Object.entries(row).some(([name, value]) => before[name as keyof IncidentValues] !== value)) {
    await scope.update('incidents').set(row).where('uuid', '=', row.uuid).execute();
  }
}

/** Values of a message, and characters of each. */
const FOUND_MAX = 5;
const VALUE_MAX = 500;

function findRefusals(looks: readonly Look[], subject: string, { sends_bulk }: CheckedDomain): string[] {
  const findings = looks.map(({ purpose, finding: { result, code }, ...look }) => ({ ...look, purpose, result, code }));
  return judgeReceivers({ findings, sendsBulk: sends_bulk === 1 }).flatMap(({ receiver, rules }) => {
    const refuses = rules.some(
      ({ outcome, blames }) => outcome === 'refuses' && blames.some((one) => one.subject === subject),
    );
    return refuses ? RECEIVERS[receiver] : [];
  });
}

/** The last look at which it was right, null if there was none, and the first after it that found the fault. */
async function findBeginning(scope: Scope, uuid: string, { subject, kind, failed_at }: IncidentValues) {
  const spans = scope
    .select('domain_spans')
    .where('domain_uuid', '=', uuid)
    .where('subject', '=', subject)
    .where('started_at', '<=', failed_at);
  const right = await spans
    .select(['started_at', 'ended_at'])
    .where('result', 'in', RIGHT[kind])
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = await spans
    .select('started_at')
    .where('result', '=', FAILING[kind])
    .where('started_at', '>', right?.started_at ?? -1)
    .orderBy('started_at')
    .limit(1)
    .executeTakeFirst();
  return { rightUntil: right?.ended_at ?? null, failedAt: first?.started_at ?? failed_at };
}

async function tell(
  scope: Scope,
  { uuid, name }: CheckedDomain,
  { row, about: { look, refusedBy }, told: kind }: { row: IncidentValues; about: Subject; told: Told },
  at: number,
): Promise<void> {
  const { subject, code, turn, cause, severity, opened_at, closed_at } = row;
  const { rightUntil, failedAt } = await findBeginning(scope, uuid, row);
  const body = {
    incident: row.uuid,
    domain: { uuid, name },
    subject,
    kind: row.kind,
    code,
    turn,
    cause,
    severity,
    failed_at: timestamp(failedAt),
    right_until: timeOrNull(rightUntil),
    opened_at: timeOrNull(opened_at),
    closed_at: timeOrNull(closed_at),
    diagnosis: look?.finding.diagnosis ?? null,
    found: (look?.finding.found ?? []).slice(0, FOUND_MAX).map((value) => value.slice(0, VALUE_MAX).toWellFormed()),
    fix: look?.finding.fix ?? null,
    refused_by: kind === 'incident_closed' ? [] : refusedBy(),
  };
  await queueMessage(scope, { kind, about: cause ?? uuid, incident_uuid: row.uuid, body }, at);
}
