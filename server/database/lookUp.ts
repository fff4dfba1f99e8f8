import { type RawBuilder, sql } from 'kysely';

import { isPostgres } from './engine.ts';
import type { Scope, WorkspaceTable } from './scope.ts';
import type { StoredRow } from './storedRow.ts';

/** Where to look: in the rows of `table` of the workspace that hold `fixed`, each of which has another `key`. */
export type LookupTarget = { table: WorkspaceTable; fixed: StoredRow; key: string };

/**
 * What `column` holds in the rows with one of `keys`, by key: one statement and one value, however many they are. Each
 * key has a subquery of its own, so that PostgreSQL, whatever it knows of the table, never reads all of it for a join.
 */
export async function lookUp<Key extends string | number, Value>(
  scope: Scope,
  place: LookupTarget,
  column: string,
  keys: Iterable<Key>,
): Promise<Map<Key, Value>> {
  const { table, key } = place;
  const all = [...new Set(keys)];
  if (all.length === 0) return new Map();
  const type = sql.raw(typeof all[0] === 'number' ? 'bigint' : 'text');
  const given = isPostgres(scope.kysely)
    ? sql`unnest(cast(${all} as ${type}[])) as given (value)`
    : sql`json_each(${JSON.stringify(all)}) as given`;
  const rows = await scope.run(sql<{ key: Key; held: Value }>`
    select key, held from (
      select given.value as key, (
        select ${sql.ref(column)} from ${sql.table(table)}
        where ${buildConditions(scope, place)} and ${sql.ref(key)} = given.value
      ) as held from ${given}
    ) as found where held is not null`);
  return new Map(rows.map((row) => [row.key, row.held]));
}

/** That a row holds what is fixed. */
export function buildConditions({ id }: Scope, { fixed }: LookupTarget): RawBuilder<unknown> {
  const conditions = Object.entries({ workspace_id: id, ...fixed }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${value}`,
  );
  return sql.join(conditions, sql` and `);
}
