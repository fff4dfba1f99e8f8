import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/must.ts';
import type { Scope, ScopedId } from './scope.ts';
import { isPostgres } from './engine.ts';
import { upsertRows } from './insertRows.ts';
import { defineScopedStatement } from './statement.ts';
import { type PeriodCounters, COUNTER_COLUMNS, type Tables } from './tables.ts';

// Why a page deep in a long list costs no more than the first: docs/decisions/0002-flat-lists.md.
//
// Time is split into periods of 2^level milliseconds, and each of them into 16 parts, which are the periods of the next
// level. A row of event_periods holds, for one event name, how many events each part of a period has. All time, and each
// part, is split further exactly when it has more than SPLIT_THRESHOLD events, so an ordinary contact has no rows here.

/** From periods of 35 years, all of whose rows are read, down to periods of 16 ms with parts of one millisecond. */
export const LEVELS: readonly number[] = [40, 36, 32, 28, 24, 20, 16, 12, 8, 4];
export const SPLIT_THRESHOLD = 1000;
/** Skipping so many rows is faster than reading the counters. */
export const DIRECT_OFFSET_MAX = 150;
/** The name under which events of all names are counted. No event has it. */
export const ALL_NAMES = '';

/**
 * Where to begin reading: `skip` rows after `edge`, in milliseconds. Oldest first `edge` is included, newest first it
 * is not.
 */
type Position = { edge: number; skip: number };

/** Before and after all times. */
const NEVER = Number.MIN_SAFE_INTEGER;
const FOREVER = Number.MAX_SAFE_INTEGER;

/** A stretch of time of 2^level milliseconds. `index` counts them from 1970. */
export type TimeBucket = { level: number; index: number };

type Range = [first: number, last: number];

/** The index of the bucket of 2^level milliseconds that contains `time`. */
function bucketIndex(time: number, level: number): number {
  return Math.floor(time / 2 ** level);
}

/**
 * Finds the position of the row at `offset` among the events in the order of time. `names` picks some of them, as SQL within
 * `in ()`; null is all. `count` is the number of all events of the contact.
 */
export async function findPosition(
  scope: Scope,
  contactId: number,
  count: number,
  names: RawBuilder<unknown> | null,
  offset: number,
  newestFirst: boolean,
): Promise<Position> {
  const start: Position = { edge: newestFirst ? FOREVER : NEVER, skip: offset };
  if (count <= SPLIT_THRESHOLD || offset <= DIRECT_OFFSET_MAX) return start;
  if (isPostgres(scope.kysely)) return findPositionInOneStatement(scope, contactId, names, start, newestFirst);
  let place = start;
  let inside: Range = [NEVER, FOREVER];
  for (const level of LEVELS) {
    if (place.skip <= DIRECT_OFFSET_MAX) break;
    const parts = await partsWithin(scope, contactId, level, inside, names);
    // Not split further.
    if (parts.length === 0) break;
    if (newestFirst) parts.reverse();
    let { skip } = place;
    const part = parts.find((candidate) => {
      if (skip < candidate.count) return true;
      skip -= candidate.count;
      return false;
    });
    if (part === undefined) throw new Error('The counters of events disagree with each other.');
    place = { edge: bucketEdge(level - 4, part.index, newestFirst), skip };
    inside = [part.index, part.index];
  }
  return place;
}

function bucketEdge(level: number, index: number, newestFirst: boolean): number {
  return (newestFirst ? index + 1 : index) * 2 ** level;
}

/** The same in one statement. PostgreSQL takes less time for all levels than the network for one round trip. */
async function findPositionInOneStatement(
  scope: Scope,
  contactId: number,
  names: RawBuilder<unknown> | null,
  start: Position,
  newestFirst: boolean,
): Promise<Position> {
  const named = names === null ? sql`= ${sql.lit(ALL_NAMES)}` : sql`in (${names})`;
  const [deepest] = await scope.run(sql<{ level: number; index: number; skip: number }>`
    with recursive place (level, first, last, skip) as (
      select ${sql.lit(LEVELS[0])}, cast(${NEVER} as bigint), cast(${FOREVER} as bigint), cast(${start.skip} as bigint)
      union all
      select place.level - 4, part.index, part.index, place.skip - part.before
      from place cross join lateral (
        select index, count, cast(sum(count) over (order by index ${sql.raw(newestFirst ? 'desc' : 'asc')}) as bigint) - count as before
        from (
          select period * 16 + number as index, cast(sum(count) as bigint) as count
          from event_periods cross join lateral (values ${UNPIVOTED}) as parts (number, count)
          where workspace_id = ${scope.id} and contact_id = ${contactId} and level = place.level
            and event_name ${named} and period >= place.first and period <= place.last
          group by 1
        ) as counted
      ) as part
      where place.skip > ${sql.lit(DIRECT_OFFSET_MAX)} and part.before <= place.skip and place.skip < part.before + part.count
    )
    select level, first as index, skip from place order by level limit 1`);
  if (deepest === undefined || deepest.level === LEVELS[0]) return start;
  return { edge: bucketEdge(deepest.level, deepest.index, newestFirst), skip: deepest.skip };
}

const UNPIVOTED = sql.raw(COUNTER_COLUMNS.map((part, number) => `(${number}, ${part})`).join(', '));
const SUMS = sql.raw(COUNTER_COLUMNS.map((part) => `sum(${part}) as ${part}`).join(', '));

/** The parts of the periods of `level` from the first to the last of `inside`, oldest first. */
async function partsWithin(
  scope: Scope,
  contactId: number,
  level: number,
  inside: Range,
  names: RawBuilder<unknown> | null,
): Promise<{ index: number; count: number }[]> {
  const rows =
    names === null
      ? await selectCountsOfAllNames(scope, contactId, level, ...inside)
      : await scope.run(selectCountsOfNames(scope, contactId, names, level, inside));
  return rows.flatMap((row) =>
    COUNTER_COLUMNS.map((part, index) => ({ index: row.period * 16 + index, count: row[part] })),
  );
}

type PeriodRow = PeriodCounters & { period: number };

function selectCountsOfNames(
  scope: Scope,
  contactId: number,
  names: RawBuilder<unknown>,
  level: number,
  [first, last]: Range,
): RawBuilder<PeriodRow> {
  const from = sql`
    from event_periods
    where workspace_id = ${scope.id} and contact_id = ${contactId} and level = ${level} and event_name in (${names})`;
  // Without `group by`, for which SQLite would sort the rows first.
  if (first === last) {
    return sql`select min(period) as period, ${SUMS} ${from} and period = ${first} having count(*) > 0`;
  }
  return sql`
    select period, ${SUMS} ${from} and period >= ${first} and period <= ${last} group by period order by period`;
}

const selectCountsOfAllNames = defineScopedStatement(
  (workspaceId: ScopedId, contactId: number, level: number, first: number, last: number) => sql<PeriodRow>`
    select period, ${sql.raw(COUNTER_COLUMNS.join(', '))} from event_periods
    where workspace_id = ${workspaceId} and contact_id = ${contactId} and level = ${level}
      and event_name = ${sql.lit(ALL_NAMES)} and period >= ${first} and period <= ${last}
    order by period`,
);

type AddedEvent = { event_name: string; created_at: number };

/** A contact that had `before` events and got those in `added`. */
export type AddedContactEvents = { contact_id: number; before: number; added: readonly AddedEvent[] };

/** A bucket of the time of a contact, or all of its time (null), that had `before` events and got those in `added`. */
type GrownBucket = AddedContactEvents & { bucket: TimeBucket | null };

type StoredPeriod = Tables['event_periods'];
type NewPeriod = Omit<StoredPeriod, 'workspace_id'>;

/**
 * Updates the counters after events were written. It goes from level to level as deep as time is split, with a few statements
 * for all contacts on each level.
 */
export async function updatePeriodCounters(scope: Scope, contacts: readonly AddedContactEvents[]): Promise<void> {
  let grown: GrownBucket[] = contacts.map((one) => ({ ...one, bucket: null }));
  for (const level of LEVELS) {
    grown = grown.filter((one) => one.before + one.added.length > SPLIT_THRESHOLD);
    if (grown.length === 0) return;
    const parted = grown.map((one) => ({ ...one, parts: Map.groupBy(one.added, bucketIndexAt(level)) }));
    const moved = parted.filter((one) => one.before > SPLIT_THRESHOLD).flatMap((one) => buildPeriodRows(level, one));
    const ofAll = moved.filter(({ event_name }) => event_name === ALL_NAMES);
    const ofNames = moved.filter(({ event_name }) => event_name !== ALL_NAMES);
    // Only the counters of all names are read again below. In SQLite returning rows costs more than writing them.
    const stored = await upsertRows<StoredPeriod>(scope, 'event_periods', ofAll, `${ADDING} returning *`);
    await upsertRows(scope, 'event_periods', ofNames, ADDING);
    for (const { contact_id, before, bucket } of grown) {
      if (before <= SPLIT_THRESHOLD) stored.push(...(await countAnew(scope, contact_id, level, bucket)));
    }
    const totals = new Map(
      stored.flatMap((row) => (row.event_name === ALL_NAMES ? [[`${row.contact_id} ${row.period}`, row]] : [])),
    );
    grown = parted.flatMap(({ contact_id, parts }) =>
      [...parts].map(([index, added]) => {
        const count = must(totals.get(`${contact_id} ${Math.floor(index / 16)}`))[partAt(index)];
        return { contact_id, bucket: { level: level - 4, index }, before: count - added.length, added };
      }),
    );
  }
}

function bucketIndexAt(level: number): (event: AddedEvent) => number {
  return ({ created_at }) => bucketIndex(created_at, level - 4);
}

/** Rows with the counts to add on a level. */
function buildPeriodRows(
  level: number,
  { contact_id, parts }: { contact_id: number; parts: ReadonlyMap<number, readonly AddedEvent[]> },
): NewPeriod[] {
  const rows = new Map<string, NewPeriod>();
  for (const [index, events] of parts) {
    const period = Math.floor(index / 16);
    for (const [event_name, count] of [[ALL_NAMES, events.length] as const, ...countNames(events)]) {
      const key = `${period} ${event_name}`;
      const row = rows.get(key) ?? { contact_id, level, event_name, period, ...NOTHING };
      row[partAt(index)] += count;
      rows.set(key, row);
    }
  }
  return [...rows.values()];
}

/** The number of events of each name. */
export function countNames(events: readonly AddedEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { event_name } of events) counts.set(event_name, (counts.get(event_name) ?? 0) + 1);
  return counts;
}

const ADDING = `on conflict (workspace_id, contact_id, level, event_name, period)
  do update set ${COUNTER_COLUMNS.map((part) => `${part} = event_periods.${part} + excluded.${part}`).join(', ')}`;
const NOTHING = Object.fromEntries(COUNTER_COLUMNS.map((part) => [part, 0])) as PeriodCounters;

/** The column that counts the part with this index. */
function partAt(index: number): (typeof COUNTER_COLUMNS)[number] {
  return must(COUNTER_COLUMNS[index - Math.floor(index / 16) * 16]);
}

/** Counts the events of a bucket that has just grown beyond SPLIT_THRESHOLD, and stores the counters. Null is all time. */
async function countAnew(
  scope: Scope,
  contactId: number,
  level: number,
  bucket: TimeBucket | null,
): Promise<StoredPeriod[]> {
  return scope.run(sql<StoredPeriod>`
    insert into event_periods (workspace_id, contact_id, level, event_name, period, ${sql.raw(COUNTER_COLUMNS.join(', '))})
    select cast(${scope.id} as bigint), cast(${contactId} as bigint), ${sql.lit(level)}, event_name, period, ${sql.raw(COUNTER_COLUMNS.join(', '))}
    from (${selectRecountedPeriods(scope, contactId, level, bucket)}) as counted returning *`);
}

/**
 * SQL for the rows that event_periods should have for a bucket (event_name, period and the counts), counted from the
 * events.
 */
export function selectRecountedPeriods(
  scope: Scope,
  contactId: number,
  level: number,
  bucket: TimeBucket | null,
): RawBuilder<unknown> {
  const [from, to] = bucket === null ? [null, null] : rangeOf(bucket);
  const within = from === null ? sql`` : sql`and created_at >= ${from} and created_at < ${to}`;
  const times = sql`
    created_at >> ${sql.lit(level)} as period, (created_at >> ${sql.lit(level - 4)}) & 15 as part
    from events where workspace_id = ${scope.id} and contact_id = ${contactId} ${within}`;
  const counts = COUNTER_COLUMNS.map((part, index) => `sum(case when part = ${index} then 1 else 0 end) as ${part}`);
  return sql`
    select event_name, period, ${sql.raw(counts.join(', '))}
    from (select event_name, ${times} union all select ${sql.lit(ALL_NAMES)}, ${times}) as timed
    group by event_name, period`;
}

function rangeOf({ level, index }: TimeBucket): [from: number, to: number] {
  return [index * 2 ** level, (index + 1) * 2 ** level];
}
