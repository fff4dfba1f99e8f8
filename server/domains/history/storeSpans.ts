import { sql } from 'kysely';
import { insertOwnRows } from '../../database/insertRows.ts';
import type { Scope } from '../../database/scope.ts';
import {
  type CurrentSpan,
  foundIn,
  isSameFinding,
  moveSpans,
  sayTooOften,
  type SpanMoves,
  SPANS_PER_DAY,
} from './moveSpans.ts';
import { findLastKnown, type JudgedSpan, readCurrentSpans } from './readSpans.ts';
import type { Look } from './subjects.ts';

/** The domain's row before the check. */
type LookedAt = { uuid: string; checked_at: number | null };

/** Milliseconds. A check that began so long before the last one was made after it: the clock was set back. */
const CLOCK_SET_BACK = 60 * 60_000;

/**
 * Stores what a check that began at `at` found. `valid`: the subjects of records that were valid before it, in a check of ours
 * or as imported. `isChanged`: whether something is known to be another than before.
 * `isStored`: false for a check that began before the last one, which is too late to tell anything. `current`: the
 * spans before it, if they are those after it too.
 */
export async function storeLooks(
  scope: Scope,
  { uuid, checked_at: stored }: LookedAt,
  { looks, valid }: { looks: readonly Look[]; valid: ReadonlySet<string> },
  at: number,
): Promise<{ isChanged: boolean; isStored: boolean; current: JudgedSpan[] | null }> {
  const isSetBack = stored !== null && stored - at > CLOCK_SET_BACK;
  if (stored !== null && at <= stored && !isSetBack) return { isChanged: false, isStored: false, current: null };
  if (isSetBack) await setBack(scope, uuid, at);
  const checked_at = isSetBack ? at - 1 : stored;
  const before = await readCurrentSpans(scope, uuid);
  const moves = moveSpans(before, looks, at, checked_at);
  if (checked_at !== null) await endSpans(scope, uuid, moves.ended, checked_at);
  for (const { subject, finding } of moves.refreshed) {
    await ofDomain(scope, uuid).set({ finding }).where('subject', '=', subject).execute();
  }
  if (moves.started.length + moves.ended.length === 0) return { isChanged: false, isStored: true, current: before };
  const known = new Map(before.map((span) => [span.subject, { ...span, ended_at: checked_at }]));
  const fresh = await continueFrequent(scope, uuid, moves.started, at);
  const started = await Promise.all(
    fresh.map(async (span): Promise<StartedSpan> => {
      const current = known.get(span.subject);
      const isKnown = current !== undefined && current.result !== 'unknown';
      // Before the first check there is none.
      const previous =
        isKnown || checked_at === null ? (current ?? null) : await findLastKnown(scope, uuid, span.subject, at);
      return { ...span, previous };
    }),
  );
  return { isChanged: await insertSpans(scope, uuid, { started, valid }, at), isStored: true, current: null };
}

const INCIDENT_TIMES = ['failed_at', 'opened_at', 'right_at', 'closed_at'] as const;

/** Ends what was found in the future of `at`, and moves the times of incidents from there to `at`. */
async function setBack(scope: Scope, uuid: string, at: number): Promise<void> {
  await ofDomain(scope, uuid)
    .set((eb) => ({ ended_at: eb.ref('started_at') }))
    .where('started_at', '>=', at)
    .execute();
  for (const time of INCIDENT_TIMES) {
    const values = { [time]: at };
    await scope.update('incidents').set(values).where('domain_uuid', '=', uuid).where(time, '>', at).execute();
  }
}

const DAY = 24 * 60 * 60_000;

/**
 * Lets the latest span of a subject that has had as many as a day may have follow what was found, and gives the spans of
 * the others.
 */
async function continueFrequent(
  scope: Scope,
  uuid: string,
  started: SpanMoves['started'],
  at: number,
): Promise<SpanMoves['started']> {
  if (started.length === 0) return [];
  const rows = await scope.run(sql<{ subject: string; latest: number }>`
    select subject, max(started_at) as latest from domain_spans
    where workspace_id = ${scope.id} and domain_uuid = ${uuid} and started_at > ${at - DAY} and started_at < ${at}
    group by subject having count(*) >= ${sql.lit(SPANS_PER_DAY)}`);
  const latest = new Map(rows.map((row) => [row.subject, row.latest]));
  for (const { subject, kind: _, ...stored } of started) {
    const started_at = latest.get(subject);
    if (started_at === undefined) continue;
    await scope
      .update('domain_spans')
      .set({ ...sayTooOften(stored), ended_at: null })
      .where('domain_uuid', '=', uuid)
      .where('subject', '=', subject)
      .where('started_at', '=', started_at)
      .execute();
  }
  return started.filter(({ subject }) => !latest.has(subject));
}

type Previous = CurrentSpan & { ended_at: number | null };
type StartedSpan = SpanMoves['started'][number] & { previous: Previous | null };

const ofDomain = (scope: Scope, uuid: string) =>
  scope.update('domain_spans').where('domain_uuid', '=', uuid).where('ended_at', 'is', null);

/** Ends the current spans of these subjects, which were last found at `lookedAt`. */
export async function endSpans(
  scope: Scope,
  uuid: string,
  subjects: readonly string[],
  lookedAt: number,
): Promise<void> {
  if (subjects.length === 0) return;
  await ofDomain(scope, uuid).set({ ended_at: lookedAt }).where('subject', 'in', subjects).execute();
}

/** Whether one of them is a change. */
async function insertSpans(
  scope: Scope,
  uuid: string,
  { started, valid }: { started: readonly StartedSpan[]; valid: ReadonlySet<string> },
  at: number,
): Promise<boolean> {
  const rows = started.map(({ previous, ...span }) => ({
    domain_uuid: uuid,
    ...span,
    started_at: at,
    ended_at: null,
    // Of a record that was imported as valid, nothing more is known.
    previous_result: previous?.result ?? (valid.has(span.subject) ? 'ok' : null),
    previous_code: previous?.code ?? null,
    previous_found: previous && foundIn(previous),
    previous_ended_at: previous?.ended_at ?? null,
    is_change: Number(previous !== null && span.result !== 'unknown' && !isSameFinding(previous, span)),
  }));
  await insertOwnRows(scope, 'domain_spans', rows);
  return rows.some(({ is_change }) => is_change === 1);
}
