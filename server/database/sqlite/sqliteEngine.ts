import { type CompiledQuery, type RawBuilder, sql, type SqlBool } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Engine, MatchingSource } from '../engine.ts';
import { chunks } from '../chunks.ts';
import type { StoredRow } from '../storedRow.ts';
import { runEach } from './runEach.ts';
import { SQLITE_SEARCH_INDEX } from './searchIndex.ts';

/** Rows between two checks. */
const ROWS_PER_CANCELLATION_CHECK = 1024;

/** See `Engine`. */
function cancellationCheck(rowNumber?: RawBuilder<number>): RawBuilder<SqlBool> {
  return rowNumber === undefined
    ? sql`still_wanted()`
    : sql`(${rowNumber} % ${sql.lit(ROWS_PER_CANCELLATION_CHECK)} <> 0 or still_wanted())`;
}

/** Looking up a row by its key takes as long as scanning so many entries of an index. */
const LOOKUP_COST = 50;
/** Up to this many names, each is read from its own range of the index, and the ranges are merged. It merges at most 500. */
const ARMS_MAX = 200;

const INSERTED_AT_ONCE = 500;

export const SQLITE_ENGINE: Engine = {
  cancellationCheck,
  searchIndex: SQLITE_SEARCH_INDEX,
  writesInQueries: false,
  nextWorkspaceId: (last) => last + 1,
  valuesTable: (values) => sql`json_each(${JSON.stringify(values)}) as wanted`,
  pairsTable: (pairs) => sql`(
    select json_extract(value, '$[0]') as first, json_extract(value, '$[1]') as second
    from json_each(${JSON.stringify(pairs)})
  ) as wanted`,
  jsonArray: (values) => sql`json_array(${sql.join(values)})`,
  async insertRows(trx, table, rows) {
    await trx.executeQuery(insertEach(table, rows));
  },
  async insertNewRows(scope, table, _key, rows) {
    const isNew: boolean[] = [];
    // Not all at once, because the values of each are in memory until they are written.
    for (const chunk of chunks(rows, INSERTED_AT_ONCE)) {
      const insert = insertEach(table, chunk, 'on conflict do nothing');
      for (const changes of (await scope.kysely.executeQuery<number>(insert)).rows) isNew.push(changes === 1);
    }
    return isNew;
  },
  upsert: insertEach,
  selectMatching,
  // With a `+`: by an index of workspaces it would read all rows.
  selectByKeys: (scope, table, key, keys) => sql`
    from ${sql.table(table)}
    where ${sql.raw(key === 'rowid' ? '+' : '')}workspace_id = ${scope.id} and ${sql.ref(key)} in (${sql.join(keys)})`,
  selectEventKeys: ({ from, names }) =>
    names.length > ARMS_MAX
      ? null
      : sql.join(
          names.map((name) => sql`select created_at, event_name, uuid ${from} and event_name = ${name}`),
          sql` union all `,
        ),
  rowKey: () => 'rowid',
  isAmongFirst: ({ id }, table, key, count) => sql`(${key}) in (
    select ${key} from ${sql.table(table)} where workspace_id = ${id} order by ${key} limit ${sql.lit(count)})`,
  async deletingFromLog(scope, work) {
    const name = 'changes_refuse_delete';
    const [trigger] = await scope.run(sql<{ sql: string }>`select sql from sqlite_schema where name = ${name}`);
    await scope.run(sql`drop trigger ${sql.ref(name)}`);
    const result = await work();
    await scope.run(sql.raw(must(trigger).sql));
    return result;
  },
};

function insertEach(table: string, rows: readonly StoredRow[], ending = ''): CompiledQuery {
  const columns = Object.keys(must(rows[0]));
  return runEach(
    `insert into "${table}" (${columns.map((column) => `"${column}"`).join()}) values (${columns.map(() => '?').join()}) ${ending}`,
    rows.map((row) => Object.values(row)),
  );
}

/** Many matches: scan in the order of the list and filter. Few matches: find them first, then sort. */
function selectMatching(rows: MatchingSource): RawBuilder<unknown> {
  const { scope, table, key, all, condition, size, total, until, isIndexed } = rows;
  const scanned = (until * size) / total;
  // `is true` keeps it from using an index that has the matching rows in another order.
  if (scanned <= total * (isIndexed ? LOOKUP_COST : 1)) return sql`${all} and (${condition}) is true`;
  const found = rows.keys ?? sql`select ${sql.ref(key)} as found ${all} and ${condition}`;
  // The cross join keeps it from starting with all rows.
  return sql`from (${found}) as matching cross join ${sql.table(table)} where workspace_id = ${scope.id} and ${sql.ref(key)} = found`;
}
