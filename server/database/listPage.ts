import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { CheckedListQuery, Sort } from '#contract/list.ts';
import type { Scope, WorkspaceTable } from './scope.ts';
import { isPostgres, cancellationCheck } from './engine.ts';
import type { StoredRow } from './storedRow.ts';

// Why lists are read in this way: docs/decisions/0002-flat-lists.md.

/** So many rows of an index are stepped over sooner than others notice. */
const CHEAP_OFFSET_MAX = 1_000;

/** Whether a page may take long to find: one that is searched for, or lies behind many others. */
export function mayTakeLong({ page, per_page, search, sorting, filters }: CheckedListQuery): boolean {
  return search !== '' || sorting.length > 1 || Object.keys(filters).length > 0 || page * per_page > CHEAP_OFFSET_MAX;
}

/** The order of every list that has a time, unless it is asked for another. */
export const NEWEST_FIRST: Sort = { id: 'created_at', desc: true };

/** To look a row up by its key takes as long as to go over so many entries of an index. */
const LOOKUP_COST = 50;

/** Rows that are listed by ordered indexes, each of which ends with `uuid` and then what a filter asks for and `key`. */
export type ListSource = {
  table: WorkspaceTable;
  /** Tells one row of the workspace from all others. */
  key: 'id' | 'uuid';
  /** The rows of the list, before anything is searched for. */
  within: RawBuilder<SqlBool>;
  /** How many these are. */
  size: number;
  matching?: MatchingRows | undefined;
};

/** Those of the rows that are wanted. */
export type MatchingRows = {
  condition: RawBuilder<SqlBool>;
  /** How many there are. */
  total: number;
  /** Whether the indexes of the orders hold what the condition asks for; else a row has to be looked up for it. */
  isIndexed: boolean;
};

/** `by` is what the index holds. */
export type SortTerm = { by: RawBuilder<unknown>; desc: boolean };

/**
 * One page of rows, in `order` and equal rows by uuid in the direction of the last of it. The page is found in an
 * index, from the nearer end of the list, and only its own rows are looked up.
 */
export async function readPage<Row extends StoredRow>(
  scope: Scope,
  list: ListSource,
  order: readonly SortTerm[],
  { page, per_page }: Pick<CheckedListQuery, 'page' | 'per_page'>,
): Promise<Row[]> {
  const total = list.matching?.total ?? list.size;
  const offset = (page - 1) * per_page;
  const limit = Math.min(per_page, total - offset);
  if (limit <= 0) return [];
  const after = total - offset - limit;
  const isTurned = after < offset;
  const skip = isTurned ? after : offset;
  const places = await scope.run(sql<{ key: string | number }>`
    select ${sql.ref(list.key)} as key ${buildListSource(scope, list, skip + limit)} ${orderBy(order, isTurned)}
    limit cast(${limit} as integer) offset cast(${skip} as integer)`);
  const keys = places.map(({ key }) => key);
  if (keys.length === 0) return [];
  // Without an order: both engines would go through the index of that order to have it.
  const rows = await scope.run(sql<Row>`
    select * from ${sql.table(list.table)}
    where workspace_id = ${scope.id} and ${sql.ref(list.key)} in (${sql.join(keys)})`);
  const byKey = new Map(rows.map((row) => [row[list.key], row]));
  if (isTurned) keys.reverse();
  return keys.map((key) => byKey.get(key)).filter((row) => row !== undefined);
}

function orderBy(order: readonly SortTerm[], isTurned: boolean): RawBuilder<unknown> {
  const full = [...order, { by: sql.ref('uuid'), desc: order.at(-1)?.desc === true }];
  const parts = full.map(({ by, desc }) => sql`${by} ${sql.raw(desc === isTurned ? 'asc' : 'desc')}`);
  return sql`order by ${sql.join(parts)}`;
}

/** Many matching rows are met soon by whoever walks in the order of the list; few are found first, and then sorted. */
function buildListSource(
  scope: Scope,
  { table, key, within, size, matching }: ListSource,
  until: number,
): RawBuilder<unknown> {
  const all = sql`from ${sql.table(table)} where ${within}`;
  if (matching === undefined || matching.total === size) return all;
  // It weighs the two ways itself.
  if (isPostgres(scope.kysely)) return sql`${all} and ${matching.condition}`;
  const walked = (until * size) / matching.total;
  // `is true` keeps it from an index that has the matching rows in another order.
  if (walked <= matching.total * (matching.isIndexed ? LOOKUP_COST : 1))
    return sql`${all} and (${matching.condition}) is true`;
  const found = sql`select ${sql.ref(key)} as found ${all} and ${matching.condition}`;
  // The cross join keeps it from starting with all rows.
  return sql`from (${found}) as matching cross join ${sql.table(table)} where workspace_id = ${scope.id} and ${sql.ref(key)} = found`;
}

/** How many rows of a list hold `searched`, a condition that no counter answers and for which all rows are gone over. */
export async function countMatchingRows(
  scope: Scope,
  { table, key, within }: Pick<ListSource, 'table' | 'key' | 'within'>,
  searchCondition: RawBuilder<SqlBool>,
): Promise<MatchingRows> {
  const condition = sql<SqlBool>`${cancellationCheck(scope.kysely, key === 'id' ? sql.ref(key) : undefined)} and ${searchCondition}`;
  const rows = await scope.run(sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)} where ${within} and ${condition}`);
  return { condition, total: rows[0]?.total ?? 0, isIndexed: false };
}
