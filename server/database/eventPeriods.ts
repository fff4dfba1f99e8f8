import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/must.ts';
import type { Scope } from './scope.ts';
import { engineOf, type EventOrder, type Position } from './engine.ts';
import { upsertRows } from './insertRows.ts';
import { FOREVER, NEVER } from './timestamp.ts';
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

/** A stretch of time of 2^level milliseconds. `index` counts them from 1970. */
export type TimeBucket = { level: number; index: number };

/** The index of the bucket of 2^level milliseconds that contains `time`. */
export function bucketIndex(time: number, level: number): number {
  return Math.floor(time / 2 ** level);
}

/**
 * Finds the position of the row at `offset` among some events of a contact. `count` is the number of all its events.
 */
export async function findPosition(events: EventOrder, count: number, offset: number): Promise<Position> {
  const start: Position = { edge: events.newestFirst ? FOREVER : NEVER, skip: offset };
  if (count <= SPLIT_THRESHOLD || offset <= DIRECT_OFFSET_MAX) return start;
  return engineOf(events.scope.kysely).findPosition(events, start);
}

/** The edge of a bucket of 2^level milliseconds at which reading begins. */
export function bucketEdge(level: number, index: number, newestFirst: boolean): number {
  return (newestFirst ? index + 1 : index) * 2 ** level;
}

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
    const moved = parted.filter((one) => !isCountedAnew(one)).flatMap((one) => buildPeriodRows(level, one));
    const ofAll = moved.filter(({ event_name }) => event_name === ALL_NAMES);
    const ofNames = moved.filter(({ event_name }) => event_name !== ALL_NAMES);
    // Only the counters of all names are read again below. In SQLite returning rows costs more than writing them.
    const stored = await upsertRows<StoredPeriod>(scope, 'event_periods', ofAll, `${ADDING} returning *`);
    await upsertRows(scope, 'event_periods', ofNames, ADDING);
    for (const one of grown) {
      if (isCountedAnew(one)) stored.push(...(await countAnew(scope, one.contact_id, level, one.bucket)));
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

/**
 * Whether a bucket has no counters yet, and events that are not among those that were added. In an import in the order of time most
 * buckets are filled by one batch, and reading back what it has just written took a tenth of its time.
 */
function isCountedAnew({ before }: GrownBucket): boolean {
  return before > 0 && before <= SPLIT_THRESHOLD;
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
