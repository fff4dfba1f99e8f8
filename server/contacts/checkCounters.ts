import { sql } from 'kysely';
import { must } from '#contract/must.ts';
import type { Database } from '../database/database.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import { type PeriodCounters, COUNTER_COLUMNS } from '../database/tables.ts';
import type { Workspace } from '../database/workspace.ts';
import { foldSearch } from '../database/textSearch.ts';
import { checkIdRanges, type IdRange, type OnProgress } from './checkContacts.ts';
import {
  ALL_NAMES,
  selectRecountedPeriods,
  LEVELS,
  SPLIT_THRESHOLD,
  type TimeBucket,
} from '../database/eventPeriods.ts';

/** Ids of contacts whose events are counted in one statement. */
const IDS_AT_ONCE = 5000;

/** Tables of which an erasure removes the rows later than their contact. */
const TRACES = ['events', 'event_names', 'event_periods'] as const;
type Trace = (typeof TRACES)[number];

/**
 * One sentence for each counter of events that is wrong, and for each table with rows of a contact that is not there. The events of a range
 * of contacts are counted in one statement. Only contacts with wrong counters, and those whose time is split, are read one by one; it holds
 * the counters of one of them and one level at a time.
 */
export async function checkCounters(
  workspace: Workspace,
  db: Database,
  onProgress: OnProgress = () => {},
): Promise<string[]> {
  const strays = new Set<Trace>();
  const findErrors = async (scope: Scope, range: IdRange) => {
    const errors: string[] = [];
    const found = await countRange(scope, range);
    for (const table of await findStrays(scope, found)) strays.add(table);
    const unlike = await findUnlikeNames(scope, range);
    const owners = found.filter(({ contacts }) => contacts > 0);
    const place = { table: 'contacts', fixed: {}, key: 'id' } as const;
    const uuids = await lookUp<number, string>(scope, place, 'uuid', [...idsOf(owners), ...unlike]);
    for (const id of unlike) {
      // Those of no contact are told as strays.
      if (uuids.has(id))
        errors.push(`Contact ${uuids.get(id)}: its events are searched by something else than their name.`);
    }
    for (const counts of owners) {
      const uuid = must(uuids.get(counts.id));
      for (const error of await findContactErrors(scope, counts)) errors.push(`Contact ${uuid}: ${error}`);
    }
    return errors;
  };
  const errors = await checkIdRanges(workspace, db, IDS_AT_ONCE, findErrors, onProgress);
  const sentences = TRACES.filter((table) => strays.has(table)).map(
    (table) => `The table ${table} has rows of a contact that is not there.`,
  );
  return [...errors, ...sentences];
}

/** What is counted and stored of a contact. */
type Counts = {
  id: number;
  /** Events, and the counter in the row of the contact; 0 where there is no such row. */
  events: number;
  event_count: number;
  /** Names that do not have as many events as are stored. */
  wrong_names: number;
  /** Rows of event_names and of event_periods. */
  name_rows: number;
  period_rows: number;
  /** 0 where there is no such contact. */
  contacts: number;
};

/**
 * Contacts of the range with counters that are wrong, or that are to be compared one by one. Without joins, because PostgreSQL may take
 * tables for small, and would then compare each row with each.
 */
function countRange(scope: Scope, { from, to }: IdRange): Promise<Counts[]> {
  const within = (column: string) =>
    sql`workspace_id = ${scope.id} and ${sql.ref(column)} >= ${from} and ${sql.ref(column)} <= ${to}`;
  return scope.run(sql<Counts>`
    select id, sum(events) as events, sum(event_count) as event_count, sum(wrong_names) as wrong_names,
      sum(name_rows) as name_rows, sum(period_rows) as period_rows, sum(contacts) as contacts
    from (
      select contact_id as id, sum(counted) as events, 0 as event_count,
        case when sum(counted) = sum(stored) then 0 else 1 end as wrong_names, sum(name_rows) as name_rows, 0 as period_rows,
        0 as contacts
      from (
        select contact_id, event_name, count(*) as counted, 0 as stored, 0 as name_rows
        from events where ${within('contact_id')} group by contact_id, event_name
        union all
        select contact_id, event_name, 0, count, 1 from event_names where ${within('contact_id')}
      ) as names
      group by contact_id, event_name
      union all
      select id, 0, event_count, 0, 0, 0, 1 from contacts where ${within('id')}
      union all
      select contact_id, 0, 0, 0, 0, count(*), 0 from event_periods where ${within('contact_id')} group by contact_id
    ) as counts
    group by id
    having sum(events) <> sum(event_count) or sum(wrong_names) > 0 or sum(events) > ${sql.lit(SPLIT_THRESHOLD)}
      or sum(period_rows) > 0 or sum(contacts) = 0
    order by id`);
}

/** The first contact with each wrong pair of a name of events and what it is searched by. */
async function findUnlikeNames(scope: Scope, { from, to }: IdRange): Promise<Set<number>> {
  // All but those in ASCII that are right, whose names need no folding of ours.
  const pairs = await scope.run(sql<{ id: number; event_name: string; name_key: string }>`
    select min(contact_id) as id, event_name, name_key from event_names
    where workspace_id = ${scope.id} and contact_id >= ${from} and contact_id <= ${to}
      and (name_key <> lower(event_name) or octet_length(event_name) <> length(event_name))
    group by event_name, name_key`);
  return new Set(pairs.filter((pair) => foldSearch(pair.event_name) !== pair.name_key).map(({ id }) => id));
}

const idsOf = (some: readonly Counts[]) => some.map(({ id }) => id);

/** The tables that have rows of a contact that is not there, unless its erasure is going on. */
async function findStrays(scope: Scope, found: readonly Counts[]): Promise<Trace[]> {
  const unowned = found.filter(({ contacts }) => contacts === 0);
  const ids = idsOf(unowned);
  const erasures = { table: 'erasures', fixed: {}, key: 'contact_id' } as const;
  const erased = await lookUp<number, string>(scope, erasures, 'contact_uuid', ids);
  const finished = await lookUp<number, number>(scope, erasures, 'finished_at', ids);
  const strays = unowned.filter(({ id }) => !erased.has(id) || finished.has(id));
  const rows: Record<Trace, keyof Counts> = {
    events: 'events',
    event_names: 'name_rows',
    event_periods: 'period_rows',
  };
  return TRACES.filter((table) => strays.some((counts) => counts[rows[table]] > 0));
}

async function findContactErrors(scope: Scope, { id, events, event_count, wrong_names }: Counts): Promise<string[]> {
  return [
    ...(events === event_count ? [] : [`it has ${events} events, and ${event_count} are counted.`]),
    ...(wrong_names === 0 ? [] : ['its events are counted wrongly by name.']),
    ...(await findPeriodErrors(scope, id, events)),
  ];
}

type PeriodRow = PeriodCounters & { event_name: string; period: number };

async function findPeriodErrors(scope: Scope, contactId: number, total: number): Promise<string[]> {
  const errors: string[] = [];
  const stored = await rowsByLevel(scope, contactId);
  // The buckets that are split on this level. The first one is all time (null).
  let split: (TimeBucket | null)[] = total > SPLIT_THRESHOLD ? [null] : [];
  for (const level of LEVELS) {
    let isRight = true;
    let rows = 0;
    const next: TimeBucket[] = [];
    for (const bucket of split) {
      const counted = await scope.run(sql<PeriodRow>`${selectRecountedPeriods(scope, contactId, level, bucket)}`);
      isRight &&= sameRows(counted, await storedPeriods(scope, contactId, level, bucket));
      rows += counted.length;
      for (const row of counted) {
        if (row.event_name !== ALL_NAMES) continue;
        for (const [index, part] of COUNTER_COLUMNS.entries()) {
          if (row[part] > SPLIT_THRESHOLD) next.push({ level: level - 4, index: row.period * 16 + index });
        }
      }
    }
    if (!isRight || rows !== (stored.get(level) ?? 0)) {
      errors.push(`its events are counted wrongly by period of 2^${level} milliseconds.`);
    }
    split = next;
  }
  return errors;
}

async function rowsByLevel(scope: Scope, contactId: number): Promise<Map<number, number>> {
  const rows = await scope
    .select('event_periods')
    .select(({ fn }) => ['level', fn.countAll<number>().as('rows')])
    .where('contact_id', '=', contactId)
    .groupBy('level')
    .execute();
  return new Map(rows.map(({ level, rows }) => [level, rows]));
}

async function storedPeriods(
  scope: Scope,
  contactId: number,
  level: number,
  bucket: TimeBucket | null,
): Promise<PeriodRow[]> {
  const all = scope
    .select('event_periods')
    .select(['event_name', 'period', ...COUNTER_COLUMNS])
    .where('contact_id', '=', contactId)
    .where('level', '=', level);
  return (bucket === null ? all : all.where('period', '=', bucket.index)).execute();
}

function sameRows(one: readonly object[], other: readonly object[]): boolean {
  return sortedText(one) === sortedText(other);
}

function sortedText(rows: readonly object[]): string {
  return rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join();
}
