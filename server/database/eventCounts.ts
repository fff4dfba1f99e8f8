import { type RawBuilder, sql } from 'kysely';
import { engineOf } from './engine.ts';
import { ALL_NAMES, FOREVER, LEVELS, NEVER, SPLIT_THRESHOLD } from './eventPeriods.ts';
import type { Scope } from './scope.ts';
import { COUNTER_COLUMNS, type PeriodCounters } from './tables.ts';

// Counts events between edges of time. Whole parts of periods come from their counters
// (docs/decisions/0002-flat-lists.md). A part with an edge inside is divided further, or its events are read where they
// are at most SPLIT_THRESHOLD.

/** Which events of a contact to count. */
export type CountedEvents = {
  scope: Scope;
  contactId: number;
  /** How many events the contact has, of all names. */
  count: number;
  /** Names that are counted one by one. */
  names: readonly string[];
  /** All names that are counted, as SQL within `in ()`: those and others. Null is all names. */
  set: RawBuilder<unknown> | null;
};

/** Counts by slot: before the first edge, between two edges, and from the last edge on. */
export type SlotCounts = {
  /** For each of `names`, in the same order. */
  named: number[][];
  all: number[];
};

type Range = readonly [low: number, high: number];
/** `name` is null for names that are not counted one by one. */
type PeriodRow = PeriodCounters & { name: string | null; period: number };
type LeafRow = { name: string | null; low: number; count: number };

/** With one statement for each level of counters at most, and one for events. `edges` are ascending. */
export async function countInSlots(events: CountedEvents, edges: readonly number[]): Promise<SlotCounts> {
  const { leaves, rows } = await readCounters(events, edges);
  const named = events.names.map(() => emptySlots(edges));
  const all = emptySlots(edges);
  const slotsOf = new Map<string | null, number[]>(events.names.map((name, at) => [name, named[at] ?? []]));
  for (const { name, slot, count } of rows) {
    add(slotsOf.get(name), slot, count);
    // Where not all names are counted, the counters of all names only tell which parts are divided.
    if ((name === ALL_NAMES) === (events.set === null)) add(all, slot, count);
  }
  const ranges = leaves.flatMap((leaf) => divide(leaf, edges));
  for (const { name, low, count } of await countEvents(events, ranges)) {
    const slot = slotOf(edges, low);
    add(slotsOf.get(name), slot, count);
    add(all, slot, count);
  }
  return { named, all };
}

function add(slots: number[] | undefined, slot: number, count: number): void {
  if (slots !== undefined) slots[slot] = (slots[slot] ?? 0) + count;
}

const emptySlots = (edges: readonly number[]) => Array.from({ length: edges.length + 1 }, () => 0);

type SlotRow = { name: string | null; slot: number; count: number };

/** Counts of whole parts, and the parts whose events have to be read. */
async function readCounters(
  events: CountedEvents,
  edges: readonly number[],
): Promise<{ leaves: Range[]; rows: SlotRow[] }> {
  if (events.count <= SPLIT_THRESHOLD) return { leaves: [[NEVER, FOREVER]], rows: [] };
  const leaves: Range[] = [];
  const rows: SlotRow[] = [];
  let periods: number[] | null = null;
  for (const level of LEVELS) {
    const split: number[] = [];
    const length = 2 ** (level - 4);
    for (const row of await selectPeriods(events, level, periods)) {
      let slot = slotOf(edges, row.period * 16 * length);
      for (const [part, column] of COUNTER_COLUMNS.entries()) {
        const count = row[column];
        if (count === 0) continue;
        const index = row.period * 16 + part;
        const low = index * length;
        while ((edges[slot] ?? FOREVER) <= low) slot++;
        if ((edges[slot] ?? FOREVER) >= low + length) rows.push({ name: row.name, slot, count });
        else if (row.name !== ALL_NAMES) continue;
        else if (count > SPLIT_THRESHOLD) split.push(index);
        else leaves.push([low, low + length]);
      }
    }
    if (split.length === 0) break;
    periods = split;
  }
  return { leaves, rows };
}

/** The slot of a time: how many edges are not after it. */
function slotOf(edges: readonly number[], time: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? FOREVER) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Divides a range at the edges inside it. */
function divide([low, high]: Range, edges: readonly number[]): Range[] {
  const inside = edges.slice(slotOf(edges, low)).filter((edge) => edge < high);
  return [low, ...inside].map((from, at) => [from, inside[at] ?? high]);
}

/** The periods of a level that have these indexes (null is all of them): of all names, and of those that are counted. */
function selectPeriods(events: CountedEvents, level: number, periods: readonly number[] | null): Promise<PeriodRow[]> {
  const { scope, contactId, names } = events;
  const wanted = periods && sql`and period in (select value from ${engineOf(scope.kysely).valuesTable(periods)})`;
  const from = sql`
    from event_periods where workspace_id = ${scope.id} and contact_id = ${contactId} and level = ${level} ${wanted ?? sql``}`;
  const ofAll = sql<PeriodRow>`
    select ${sql.lit(ALL_NAMES)} as name, period, ${sql.raw(COUNTER_COLUMNS.join(', '))}
    ${from} and event_name = ${sql.lit(ALL_NAMES)}`;
  if (names.length === 0) return scope.run(ofAll);
  const sums = COUNTER_COLUMNS.map((part) => `sum(${part}) as ${part}`).join(', ');
  return scope.run(sql<PeriodRow>`${ofAll} union all
    select ${labelOf(events)} as name, period, ${sql.raw(sums)}
    ${from} and event_name in (${events.set ?? sql.join(names)}) group by 1, 2`);
}

/** Counts the events in each of `ranges`, by name. */
function countEvents(events: CountedEvents, ranges: readonly Range[]): Promise<LeafRow[]> {
  const { scope, contactId, set } = events;
  if (ranges.length === 0) return Promise.resolve([]);
  return scope.run(sql<LeafRow>`
    select low, ${labelOf(events)} as name, count(*) as count
    from ${engineOf(scope.kysely).rangesTable(ranges)} cross join events
    where workspace_id = ${scope.id} and contact_id = ${contactId} and created_at >= low and created_at < high
      ${set === null ? sql`` : sql`and event_name in (${set})`}
    group by 1, 2`);
}

/** SQL: the name of an event if it is counted by itself, else null. */
function labelOf({ names }: CountedEvents): RawBuilder<string | null> {
  return names.length === 0
    ? sql`cast(null as text)`
    : sql<string | null>`case when event_name in (${sql.join(names)}) then event_name end`;
}
