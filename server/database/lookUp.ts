import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { engineOf } from './engine.ts';
import type { Scope, WorkspaceTable } from './scope.ts';
import type { StoredRow } from './storedRow.ts';

/** The rows of `table` in the workspace that have the values in `fixed`. The column `key` is unique among them. */
export type LookupTarget = { table: WorkspaceTable; fixed: StoredRow; key: string };

/**
 * The values of `column` in the rows that have one of `keys`, by key; null values are left out. One statement with one
 * parameter, however many keys there are. Each key has a subquery of its own, so that PostgreSQL never reads the whole table
 * for a join, whatever its statistics are.
 */
export async function lookUp<Key extends string | number, Value>(
  scope: Scope,
  place: LookupTarget,
  column: string,
  keys: Iterable<Key>,
): Promise<Map<Key, Value>> {
  return lookUpValue(scope, place, sql.ref(column), keys);
}

/** Like `lookUp`, for several columns. */
export async function lookUpRows<Key extends string | number, Row>(
  scope: Scope,
  place: LookupTarget,
  columns: readonly (string & keyof Row)[],
  keys: Iterable<Key>,
): Promise<Map<Key, Row>> {
  const values = sql`cast(${engineOf(scope.kysely).jsonArray(columns.map((column) => sql.ref(column)))} as text)`;
  const found = await lookUpValue<Key, string>(scope, place, values, keys);
  const toRow = (held: readonly unknown[]) => Object.fromEntries(columns.map((column, index) => [column, held[index]]));
  return new Map(Array.from(found, ([key, held]) => [key, toRow(JSON.parse(held) as unknown[]) as Row]));
}

/** The `values` that meet `condition`, which has each as `wanted.value`. */
export async function findValues(
  scope: Scope,
  values: Iterable<string>,
  condition: RawBuilder<SqlBool>,
): Promise<ReadonlySet<string>> {
  const all = [...new Set(values)];
  if (all.length === 0) return new Set();
  const rows = await scope.run(sql<{ value: string }>`
    select wanted.value as value from ${engineOf(scope.kysely).valuesTable(all)} where ${condition}`);
  return new Set(rows.map(({ value }) => value));
}

async function lookUpValue<Key extends string | number, Value>(
  scope: Scope,
  place: LookupTarget,
  value: RawBuilder<unknown>,
  keys: Iterable<Key>,
): Promise<Map<Key, Value>> {
  const { table, key } = place;
  const all = [...new Set(keys)];
  if (all.length === 0) return new Map();
  // No condition on `held`: both engines would run the subquery once more for it.
  const rows = await scope.run(sql<{ key: Key; held: Value | null }>`
    select wanted.value as key, (
      select ${value} from ${sql.table(table)}
      where ${buildConditions(scope, place)} and ${sql.ref(key)} = wanted.value
    ) as held from ${engineOf(scope.kysely).valuesTable(all)}`);
  const found = new Map<Key, Value>();
  for (const { key: own, held } of rows) if (held !== null) found.set(own, held);
  return found;
}

/** The condition for the rows of `target`, in SQL. */
function buildConditions({ id }: Scope, { fixed }: LookupTarget): RawBuilder<unknown> {
  const conditions = Object.entries({ workspace_id: id, ...fixed }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  );
  return sql.join(conditions, sql` and `);
}
