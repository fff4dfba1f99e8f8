import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import { type CheckedListQuery, createPageMeta, type Page, type Sort } from '#contract/list.ts';
import type { Scope, WorkspaceTable } from '../scope.ts';
import { engineOf, type RowKey } from '../engine.ts';
import type { Tables } from '../schema/tables.ts';

// Why lists are read in this way: docs/decisions/0002-lists.md.

/** Up to this offset, skipping entries of an index takes too little time to block other reads: at most 0.3 ms. */
const CHEAP_OFFSET_MAX = 10_000;

/** Whether a page may take long to find: with a search, a filter or several sort columns, or far from the start. */
export function mayTakeLong({ page, per_page, search, sorting, filters }: CheckedListQuery): boolean {
  return search !== '' || sorting.length > 1 || Object.keys(filters).length > 0 || page * per_page > CHEAP_OFFSET_MAX;
}

export const NEWEST_FIRST: Sort = { id: 'created_at', desc: true };

/**
 * Rows that are listed by ordered indexes. Each index ends with `uuid`, then the columns of filters, then `key`. A list that
 * stays under a thousand rows may be sorted without an index, and `size` counted instead of stored.
 */
export type ListSource<Table extends WorkspaceTable = WorkspaceTable> = {
  /**
   * Its rows are read with all columns, and the result has those that its mapping names: `operations.service.test.ts` fails with any
   * more. For a table with a secret (`tokens`), name the columns in `readPage` first.
   */
  table: Table;
  key: RowKey;
  /** The rows of the list, before a search or a filter. */
  within: RawBuilder<SqlBool>;
  /** How many rows `within` has. */
  size: number;
  /** Those that match a search or a filter; all where there is none. */
  matching?: MatchingRows | undefined;
};

export type MatchingRows = {
  condition: RawBuilder<SqlBool>;
  /** How many rows match. */
  total: number;
  /** Whether the ordered indexes have the columns of the condition. If not, each row has to be looked up. */
  isIndexed: boolean;
  /** SQL that gives the keys of the matching rows as `found`, where they are known already. */
  keys?: RawBuilder<unknown>;
};

/** `by` is the expression that the index is on. It is never null: the engines order null differently. Use `coalesce`. */
export type SortTerm = { by: RawBuilder<unknown>; desc: boolean };

/** The order that `query` asks for, by the expression of each column that it names; newest first if it names none. */
export function orderOf({ sorting }: CheckedListQuery, toExpression: (id: string) => SortTerm['by']): SortTerm[] {
  return (sorting.length > 0 ? sorting : [NEWEST_FIRST]).map(({ id, desc }) => ({ by: toExpression(id), desc }));
}

/**
 * One page in `order`; equal rows by uuid, in the direction of the last term. The page is found in an index, from the nearer
 * end of the list, and only its own rows are looked up, of which `toItems` makes what is sent.
 */
export async function readPage<Table extends WorkspaceTable, Item>(
  scope: Scope,
  list: ListSource<Table>,
  order: readonly SortTerm[],
  query: Pick<CheckedListQuery, 'page' | 'per_page'>,
  toItems: (rows: Selectable<Tables[Table]>[]) => Item[] | Promise<Item[]>,
): Promise<Page<Item>> {
  const rows = await readRows(scope, list, await readKeys(scope, list, order, query));
  return { data: await toItems(rows), meta: createPageMeta(query, list.matching?.total ?? list.size) };
}

/** `list` with the engine's fastest row key. */
export function withRowKey<Table extends WorkspaceTable>(scope: Scope, list: ListSource<Table>): ListSource<Table> {
  return { ...list, key: engineOf(scope.kysely).rowKey(list.key) };
}

/** The keys of the rows that `readPage` gives. */
async function readKeys(
  scope: Scope,
  list: ListSource,
  order: readonly SortTerm[],
  { page, per_page }: Pick<CheckedListQuery, 'page' | 'per_page'>,
): Promise<(string | number)[]> {
  const total = list.matching?.total ?? list.size;
  const offset = (page - 1) * per_page;
  const limit = Math.min(per_page, total - offset);
  if (limit <= 0) return [];
  const after = total - offset - limit;
  const isTurned = after < offset;
  const skip = isTurned ? after : offset;
  const places = await scope.run(selectKeys(scope, list, order, { skip, limit, isTurned }));
  const keys = places.map(({ key }) => key);
  if (isTurned) keys.reverse();
  return keys;
}

/** Selects the keys of rows in their order, or in the opposite one, as `key`. */
function selectKeys(
  scope: Scope,
  list: ListSource,
  order: readonly SortTerm[],
  { skip, limit, isTurned }: { skip: number; limit: number; isTurned: boolean },
): RawBuilder<{ key: string | number }> {
  return sql`
    select ${sql.ref(list.key)} as key ${buildListSource(scope, list, skip + limit)} ${buildOrder(order, isTurned)}
    limit cast(${limit} as integer) offset cast(${skip} as integer)`;
}

/** The rows with these keys, in the same order. */
export async function readRows<Table extends WorkspaceTable>(
  scope: Scope,
  { table, key }: Pick<ListSource<Table>, 'table' | 'key'>,
  keys: readonly (string | number)[],
): Promise<Selectable<Tables[Table]>[]> {
  if (keys.length === 0) return [];
  // Without `order by`: both engines would scan the index of that order.
  const rows = await scope.run(sql<Selectable<Tables[Table]> & { row_key: string | number }>`
    select ${sql.ref(key)} as row_key, ${sql.table(table)}.* ${engineOf(scope.kysely).selectByKeys(scope, table, key, keys)}`);
  const byKey = new Map(rows.map((row) => [row.row_key, row]));
  return keys.map((each) => byKey.get(each)).filter((row) => row !== undefined);
}

/** `order by`, with the UUID at the end. */
function buildOrder(order: readonly SortTerm[], isTurned: boolean): RawBuilder<unknown> {
  const full = [...order, { by: sql.ref('uuid'), desc: order.at(-1)?.desc === true }];
  const parts = full.map(({ by, desc }) => sql`${by} ${sql.raw(desc === isTurned ? 'asc' : 'desc')}`);
  return sql`order by ${sql.join(parts)}`;
}

/** `until` is how many rows are needed. */
function buildListSource(scope: Scope, list: ListSource, until: number): RawBuilder<unknown> {
  const { table, key, within, size, matching } = list;
  const all = sql`from ${sql.table(table)} where ${within}`;
  if (matching === undefined || matching.total === size) return all;
  return engineOf(scope.kysely).selectMatching({ scope, table, key, all, size, until, ...matching });
}

/**
 * Counts the rows of a list for which `searchCondition` holds, by a scan of all rows, unless their `total` is known. `counted` is the
 * same condition, where another one is faster for a scan.
 */
export async function countMatchingRows(
  scope: Scope,
  { table, key, within }: Pick<ListSource, 'table' | 'key' | 'within'>,
  searchCondition: RawBuilder<SqlBool>,
  { total, counted = searchCondition }: { total?: number | undefined; counted?: RawBuilder<SqlBool> } = {},
): Promise<MatchingRows> {
  const check = engineOf(scope.kysely).cancellationCheck(key === 'id' ? sql.ref(key) : undefined);
  const condition = sql<SqlBool>`${check} and ${searchCondition}`;
  if (total !== undefined) return { condition, total, isIndexed: false };
  const rows = await scope.run(sql<{ total: number }>`
    select count(*) as total from ${sql.table(table)} where ${within} and ${check} and ${counted}`);
  return { condition, total: must(rows[0]).total, isIndexed: false };
}
