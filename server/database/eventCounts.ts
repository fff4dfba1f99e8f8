import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/must.ts';
import { engineOf } from './engine.ts';
import { ALL_NAMES, bucketIndex, LEVELS, SPLIT_THRESHOLD } from './eventPeriods.ts';
import type { Scope } from './scope.ts';
import { COUNTER_COLUMNS } from './tables.ts';
import { FOREVER, NEVER } from './timestamp.ts';

// Counts events between edges of time. Whole parts of periods come from their counters
// (docs/decisions/0002-flat-lists.md). A part with an edge inside is divided further, down to parts of at most
// SPLIT_THRESHOLD events. Such a part is counted in the slot that has most of its time. The events in the rest of it are
// read, and moved to their slots.

/** Which events of a contact to count. */
export type CountedEvents = {
  scope: Scope;
  contactId: number;
  /** How many events the contact has, of all names, and when the first and the last were; null for none. */
  count: number;
  firstAt: number | null;
  lastAt: number | null;
  /** Names that are counted one by one. */
  names: readonly string[];
  /** What is counted besides, together: nothing, all other names, or those in a set (SQL within `in ()`, with `names`). */
  others: null | 'all' | RawBuilder<unknown>;
};

/** Counts by slot: before the first edge, between two edges, and from the last edge on. */
export type SlotCounts = {
  /** For each of `names`, in the same order. */
  named: number[][];
  all: number[];
};

/** A range without an edge inside, whose events are read. They are counted in the slot `countedIn` already; null is nowhere. */
type Leaf = { low: number; high: number; countedIn: number | null };
/** The counters of a period, and the slot of each of its 16 parts. */
type PlacedPeriod = { name: string | null; counts: readonly number[]; slots: readonly number[] };
/** The slot of a part whose counts are not used, because those of its own parts are. */
const DIVIDED = -1;

/** With one statement for each level of counters at most, and one for events. `edges` are ascending. */
export async function countInSlots(events: CountedEvents, edges: readonly number[]): Promise<SlotCounts> {
  const { periods, leaves } = await readCounters(events, edges);
  const named = events.names.map(() => emptySlots(edges));
  const all = emptySlots(edges);
  const byName = new Map<string | null, number[]>(events.names.map((name, at) => [name, named[at] ?? []]));
  for (const period of periods) {
    addParts(byName.get(period.name), period);
    // Where not all names are counted, the counters of all names only tell which parts are divided.
    if ((period.name === ALL_NAMES) === (events.others === 'all')) addParts(all, period);
  }
  const leafAt = new Map(leaves.map((leaf) => [leaf.low, leaf]));
  for (const { low, names } of await readNames(events, leaves)) {
    const { countedIn } = must(leafAt.get(low));
    const slot = slotOf(edges, low);
    for (const name of JSON.parse(names ?? '[]') as string[]) {
      move(byName.get(name), countedIn, slot);
      move(all, countedIn, slot);
    }
  }
  return { named, all };
}

const emptySlots = (edges: readonly number[]) => Array.from({ length: edges.length + 1 }, () => 0);

function addParts(sums: number[] | undefined, { counts, slots }: PlacedPeriod): void {
  if (sums === undefined) return;
  slots.forEach((slot, part) => {
    if (slot !== DIVIDED) sums[slot] = (sums[slot] ?? 0) + (counts[part] ?? 0);
  });
}

function move(sums: number[] | undefined, from: number | null, to: number): void {
  if (sums === undefined) return;
  sums[to] = (sums[to] ?? 0) + 1;
  if (from !== null) sums[from] = (sums[from] ?? 0) - 1;
}

async function readCounters(
  events: CountedEvents,
  edges: readonly number[],
): Promise<{ periods: PlacedPeriod[]; leaves: Leaf[] }> {
  if (events.count <= SPLIT_THRESHOLD) {
    const leaves = divide(NEVER, FOREVER, edges).map((range) => ({ ...range, countedIn: null }));
    return { periods: [], leaves };
  }
  const periods: PlacedPeriod[] = [];
  const leaves: Leaf[] = [];
  let wanted = periodsBetween(must(LEVELS[0]), events);
  for (const level of LEVELS) {
    const rows = await selectPeriods(events, level, wanted);
    wanted = [];
    const slotsOf = new Map<number, number[]>();
    for (const { name, period, counts } of rows) {
      if (name !== ALL_NAMES) continue;
      const slots: number[] = [];
      for (const [part, count] of counts.entries()) {
        const index = period * 16 + part;
        const placed = placePart(index, level - 4, count, edges);
        slots.push(placed.slot);
        leaves.push(...placed.leaves);
        if (placed.slot === DIVIDED) wanted.push(index);
      }
      slotsOf.set(period, slots);
    }
    for (const { name, period, counts } of rows) periods.push({ name, counts, slots: must(slotsOf.get(period)) });
    if (wanted.length === 0) break;
  }
  return { periods, leaves };
}

/** The periods of a level in which the contact may have events. */
function periodsBetween(level: number, { firstAt, lastAt }: CountedEvents): number[] {
  const [first, last] = [firstAt, lastAt].map((time) => bucketIndex(must(time), level)) as [number, number];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

/** Where `count` events of a part are counted, and which of them have to be read. */
function placePart(
  index: number,
  level: number,
  count: number,
  edges: readonly number[],
): { slot: number; leaves: Leaf[] } {
  const [low, high] = [index * 2 ** level, (index + 1) * 2 ** level];
  const slot = slotOf(edges, low);
  if (count === 0 || (edges[slot] ?? FOREVER) >= high) return { slot, leaves: [] };
  if (count > SPLIT_THRESHOLD) return { slot: DIVIDED, leaves: [] };
  const ranges = divide(low, high, edges);
  const widest = ranges.reduce((one, other) => (other.high - other.low > one.high - one.low ? other : one));
  const countedIn = slotOf(edges, widest.low);
  const rest = ranges.filter((range) => range !== widest);
  return { slot: countedIn, leaves: rest.map((range) => ({ ...range, countedIn })) };
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
function divide(low: number, high: number, edges: readonly number[]): { low: number; high: number }[] {
  const inside = edges.slice(slotOf(edges, low)).filter((edge) => edge < high);
  return [low, ...inside].map((from, at) => ({ low: from, high: inside[at] ?? high }));
}

/**
 * The counters of the periods of a level that have these indexes, of which there is at least one: of all names, of each name that
 * is counted one by one, and of the others in the set together (null).
 */
async function selectPeriods(
  { scope, contactId, names, others }: CountedEvents,
  level: number,
  periods: readonly number[],
): Promise<{ name: string | null; period: number; counts: number[] }[]> {
  const engine = engineOf(scope.kysely);
  const from = sql`
    from event_periods
    where workspace_id = ${scope.id} and contact_id = ${contactId} and level = ${level} and period = value`;
  const named = sql.join([ALL_NAMES, ...names]);
  const counters = COUNTER_COLUMNS.map((part) => sql.ref<number>(part));
  const sums = engine.jsonArray(counters.map((part) => sql`coalesce(sum(${part}), 0)`));
  const together =
    others === null || others === 'all'
      ? sql`null`
      : sql`(select ${sums} ${from} and event_name in (${others}) and event_name not in (${named}))`;
  // A row for each period, and its counters as JSON: reading rows costs more than what is in them. Within a row each period is looked
  // up by itself. In a join PostgreSQL would rather read the whole table.
  const rows = await scope.run(sql<{ period: number; named: string | null; together: string | null }>`
    select value as period,
      cast((
        select ${engine.jsonArrayOf(engine.jsonArray([sql.ref('event_name'), ...counters]))} ${from} and event_name in (${named})
      ) as text) as named,
      cast(${together} as text) as together
    from ${engine.valuesTable(periods)}`);
  return rows.flatMap(({ period, named, together }) => {
    const read = JSON.parse(named ?? '[]') as [name: string, ...counts: number[]][];
    const each = read.map(([name, ...counts]) => ({ name, period, counts }));
    if (each.length === 0 || together === null) return each;
    return [...each, { name: null, period, counts: JSON.parse(together) as number[] }];
  });
}

/** The names of the events in each of `ranges`, as JSON; null is no event. */
function readNames(
  { scope, contactId, names, others }: CountedEvents,
  ranges: readonly Leaf[],
): Promise<{ low: number; names: string | null }[]> {
  if (ranges.length === 0 || (others === null && names.length === 0)) return Promise.resolve([]);
  const engine = engineOf(scope.kysely);
  const counted = others === 'all' ? sql`` : sql`and event_name in (${others ?? sql.join(names)})`;
  return scope.run(sql<{ low: number; names: string | null }>`
    select first as low, cast((
      select ${engine.jsonArrayOf(sql.ref('event_name'))} from events
      where workspace_id = ${scope.id} and contact_id = ${contactId} and created_at >= first and created_at < second ${counted}
    ) as text) as names
    from ${engine.pairsTable(ranges.map(({ low, high }) => [low, high]))}`);
}
