import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import { lookUp } from '../database/lookUp.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { foldSearch } from '../database/search/textSearch.ts';
import { checkIdRanges, type IdRange, type OnProgress } from './checkContacts.ts';

/** Ids of contacts whose events are counted in one statement. */
const IDS_AT_ONCE = 5000;

/** Tables of which an erasure removes the rows later than their contact. */
const TRACES = ['events', 'event_names'] as const;
type Trace = (typeof TRACES)[number];

/**
 * One sentence for each counter of events that is wrong, and for each table with rows of a contact that is not there. The events of a range
 * of contacts are counted in one statement.
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
    for (const { id } of owners) {
      errors.push(`Contact ${must(uuids.get(id))}: its events are counted wrongly by name.`);
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
  events: number;
  /** Names that do not have as many events as are stored. */
  wrong_names: number;
  /** Rows of event_names. */
  name_rows: number;
  /** 0 where there is no such contact. */
  contacts: number;
};

/**
 * Contacts of the range with counters that are wrong, and owners of rows that are not there. Without joins, because PostgreSQL may take
 * tables for small, and would then compare each row with each.
 */
function countRange(scope: Scope, { from, to }: IdRange): Promise<Counts[]> {
  const within = (column: string) =>
    sql`workspace_id = ${scope.id} and ${sql.ref(column)} >= ${from} and ${sql.ref(column)} <= ${to}`;
  return scope.run(sql<Counts>`
    select id, sum(events) as events, sum(wrong_names) as wrong_names, sum(name_rows) as name_rows, sum(contacts) as contacts
    from (
      select contact_id as id, sum(counted) as events, case when sum(counted) = sum(stored) then 0 else 1 end as wrong_names,
        sum(name_rows) as name_rows, 0 as contacts
      from (
        select contact_id, event_name, count(*) as counted, 0 as stored, 0 as name_rows
        from events where ${within('contact_id')} group by contact_id, event_name
        union all
        select contact_id, event_name, 0, count, 1 from event_names where ${within('contact_id')}
      ) as names
      group by contact_id, event_name
      union all
      select id, 0, 0, 0, 1 from contacts where ${within('id')}
    ) as counts
    group by id
    having sum(wrong_names) > 0 or sum(contacts) = 0
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
  };
  return TRACES.filter((table) => strays.some((counts) => counts[rows[table]] > 0));
}
