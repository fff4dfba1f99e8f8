import { randomInt } from 'node:crypto';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Engine, MatchingSource } from '../engine.ts';
import { lookUp } from '../lookUp.ts';
import type { Scope, WorkspaceTable } from '../scope.ts';
import type { StoredRow } from '../storedRow.ts';
import type { Transaction } from '../database.ts';
import { listTables } from '../schema/tableDescriptions.ts';
import type { Tables } from '../schema/tables.ts';
import { LOG_RIGHTS_LOCK } from './distribute.ts';
import { DISTRIBUTED_SEARCH_INDEX, POSTGRES_SEARCH_INDEX } from './searchIndex.ts';

/** Characters that are sent to the server at once. */
const CHUNK = 1024 * 1024;
/**
 * The same where the next rows are made meanwhile: what the buffer of the socket does not hold (208 KiB on Linux) would be sent only when
 * that is done.
 */
const MEANWHILE_CHUNK = 128 * 1024;

/** Characters of a number, about. */
const NUMBER_LENGTH = 10;

/** Stands between the texts of a column. */
const SEPARATOR = '\u001e';
/** Stands for null among the texts of a column. */
const NULL_TEXT = '\u001f';
const TEXTS = `chr(${SEPARATOR.charCodeAt(0)}), chr(${NULL_TEXT.charCodeAt(0)})`;

/**
 * The server checks each foreign key by a statement of its own, which it would otherwise plan for each row (postgresConnections.ts): that
 * takes longer than the row. Older plans are discarded: one from when the table was nearly empty may read a whole index.
 */
const PLAN_CHECKS_ONCE = 'discard plans; set local plan_cache_mode = force_generic_plan';
const PLAN_CHECKS_EACH = 'set local plan_cache_mode = force_custom_plan';
const planChecks = (trx: Transaction, how: string) => trx.executeQuery(CompiledQuery.raw(how));
/** Rows from which on the round trips for it are worth it. */
const PLANNED_ONCE_MIN = 50;

export const POSTGRES_ENGINE: Engine = {
  searchIndex: POSTGRES_SEARCH_INDEX,
  writesInQueries: true,
  // Of 31 bits, because trigramKeys counts on 32.
  nextWorkspaceId: () => randomInt(1, 2 ** 31),
  rowKey: (key) => key,
  cancellationCheck: () => sql`true`,
  valuesTable(values) {
    const type = sql.raw(typeof values[0] === 'number' ? 'bigint' : 'text');
    return sql`unnest(cast(${values} as ${type}[])) as wanted (value)`;
  },
  pairsTable(pairs) {
    const [firsts, seconds] = [0, 1].map((place) => sql`cast(${pairs.map((pair) => pair[place])} as bigint[])`);
    return sql`unnest(${firsts}, ${seconds}) as wanted (first, second)`;
  },
  jsonArray: (values) => sql`json_build_array(${sql.join(values)})`,
  async insertRows(trx, table, rows) {
    const isLarge = rows.length >= PLANNED_ONCE_MIN;
    if (isLarge) await planChecks(trx, PLAN_CHECKS_ONCE);
    await insertAll(trx, table, rows);
    if (isLarge) await planChecks(trx, PLAN_CHECKS_EACH);
  },
  insertNewRows,
  upsert: (table, rows, conflictClause) => insertJson(table, rows, conflictClause),
  selectMatching,
  // Without statistics the server takes a workspace for small, and would compare all its rows with the keys.
  selectByKeys: (scope, table, key, keys) => sql`
    from ${POSTGRES_ENGINE.valuesTable(keys)} cross join lateral (
      select * from ${sql.table(table)} where workspace_id = ${scope.id} and ${sql.ref(key)} = wanted.value limit 1
    ) as ${sql.table(table)}`,
  selectEventKeys({ from, names: [first, ...others], nameSet, order, until }) {
    const keys = sql`select created_at, event_name, uuid ${from} and event_name =`;
    if (others.length === 0) return sql`${keys} ${first}`;
    // Not a union: it does not see that each part is sorted already, so it would sort them all, and plan each of them.
    return sql`
      select keys.* from (${nameSet}) as names(name) cross join lateral (
        ${keys} names.name ${order} limit cast(${until} as integer)) as keys`;
  },
  // By place: with keys, it compares them with all rows of the table.
  isAmongFirst: ({ id }, table, key, count) => sql`workspace_id = ${id} and ctid = any(array(
    select ctid from ${sql.table(table)} where workspace_id = ${id} order by ${key} limit ${sql.lit(count)}))`,
  async deletingFromLog(scope, work) {
    await scope.run(LOG_RIGHTS_LOCK);
    // Others don't see an uncommitted grant.
    await scope.run(sql`grant delete on changes to current_user`);
    const result = await work();
    await scope.run(sql`revoke delete on changes from current_user`);
    return result;
  },
};

/** For tables that are distributed over several machines (distribute.ts), where no plan for any values may be forced. */
export const DISTRIBUTED_ENGINE: Engine = {
  ...POSTGRES_ENGINE,
  searchIndex: DISTRIBUTED_SEARCH_INDEX,
  writesInQueries: false,
  insertRows: insertAll,
  async insertNewRows(scope, table, key, rows) {
    const inserted: boolean[] = [];
    for (const chunk of chunksOf(rows, CHUNK)) inserted.push(...(await insertFewNew(scope, table, key, chunk)));
    return inserted;
  },
};

async function insertAll(trx: Transaction, table: keyof Tables, rows: readonly StoredRow[]): Promise<void> {
  const isHeaded = HEADED.has(table);
  for (const own of isHeaded ? Map.groupBy(rows, (row) => row['workspace_id']).values() : [rows]) {
    for (const chunk of chunksOf(own, CHUNK)) {
      const { numAffectedRows } = await trx.executeQuery(insertColumns(table, chunk) ?? insertJson(table, chunk));
      if (isHeaded && numAffectedRows === 0n) throw new Error(`Rows of ${table} are of no workspace.`);
    }
  }
}

/**
 * It chooses by itself what to find first, but where the keys are known: without statistics, as after a move, it would read all rows in
 * the order of the list until it has met enough of them.
 */
function selectMatching({ scope, table, key, all, condition, keys }: MatchingSource): RawBuilder<unknown> {
  if (keys === undefined) return sql`${all} and ${condition}`;
  return sql`from (${keys}) as matching cross join lateral (
    select * from ${sql.table(table)} where workspace_id = ${scope.id} and ${sql.ref(key)} = found limit 1) as listed`;
}

/** The next rows are made while the server inserts those before. */
async function insertNewRows(
  scope: Scope,
  table: WorkspaceTable,
  key: string,
  rows: Iterable<StoredRow>,
): Promise<boolean[]> {
  const results: boolean[][] = [];
  const run = (query: CompiledQuery) => scope.kysely.executeQuery(query);
  let isPlannedOnce = false;
  /** Rows behind one that may be there: they are looked up together. */
  const rest: StoredRow[] = [];
  const insertChunk = async (chunk: StoredRow[], insert: CompiledQuery | null) => {
    if (chunk.length < PLANNED_ONCE_MIN) {
      results.push(await insertFewNew(scope, table, key, chunk));
    } else if (insert !== null && (await run(insert)).numAffectedRows === BigInt(chunk.length)) {
      results.push(chunk.map(() => true));
    } else {
      rest.push(...chunk);
    }
  };
  let inserting = Promise.resolve();
  for (const chunk of chunksOf(rows, MEANWHILE_CHUNK)) {
    const insert = rest.length === 0 ? insertIfRangeEmpty(scope, table, key, chunk) : null;
    await inserting;
    if (rest.length > 0) {
      rest.push(...chunk);
      continue;
    }
    if (insert !== null && !isPlannedOnce && chunk.length >= PLANNED_ONCE_MIN) {
      await planChecks(scope.kysely, PLAN_CHECKS_ONCE);
      isPlannedOnce = true;
    }
    inserting = insertChunk(chunk, insert);
    // Handled by the next await.
    inserting.catch(() => {});
  }
  await inserting;
  if (isPlannedOnce) await planChecks(scope.kysely, PLAN_CHECKS_EACH);
  if (rest.length > 0) results.push(await insertMissing(scope, table, key, rest));
  return results.flat();
}

/** In one statement, which for many rows would take longer than looking them up first. */
async function insertFewNew(scope: Scope, table: string, key: string, rows: readonly StoredRow[]): Promise<boolean[]> {
  const insert = insertJson(table, rows, `on conflict do nothing returning "${key}" as key`);
  const inserted = new Set((await scope.kysely.executeQuery<{ key: string }>(insert)).rows.map((row) => row.key));
  // Of two with the same key, the first was inserted.
  return rows.map((row) => inserted.delete(String(row[key])));
}

async function insertMissing(
  scope: Scope,
  table: WorkspaceTable,
  key: string,
  rows: readonly StoredRow[],
): Promise<boolean[]> {
  const keys = rows.map((row) => String(row[key]));
  const seen = new Set((await lookUp(scope, { table, fixed: {}, key }, key, keys)).keys());
  const inserted = keys.map((own) => !seen.has(own) && seen.add(own) !== undefined);
  const missing = rows.filter((_, index) => inserted[index]);
  if (missing.length > 0) await POSTGRES_ENGINE.insertRows(scope.kysely, table, missing);
  return inserted;
}

/**
 * Inserts `rows` if no row has a key from the least to the greatest of theirs, so that none of them has to be looked up. That is usual
 * for rows that come in the order of their keys. Null where two of them have the same key, or `insertColumns` cannot hold them.
 */
function insertIfRangeEmpty(
  { id }: Scope,
  table: string,
  key: string,
  rows: readonly StoredRow[],
): CompiledQuery | null {
  const keys = rows.map((row) => String(row[key]));
  if (new Set(keys).size < keys.length) return null;
  let [least, greatest] = [must(keys[0]), must(keys[0])];
  for (const one of keys) {
    if (one > greatest) greatest = one;
    else if (one < least) least = one;
  }
  const insert = insertColumns(table, rows);
  if (insert === null) return null;
  const [first, second, third] = [1, 2, 3].map((place) => insert.parameters.length + place);
  // Not `exists`, for which the server may read the table in any order, because it hopes to find a row soon.
  const isEmpty = `(select true from "${table}" where workspace_id = $${first} and "${key}" between $${second} and $${third}
    order by "${key}" limit 1) is null`;
  return CompiledQuery.raw(`${insert.sql} and ${isEmpty}`, [...insert.parameters, id, least, greatest]);
}

/** Tables whose rows are inserted next to the head of their workspace, so that a statement has one place where tables are distributed. */
const HEADED: ReadonlySet<string> = new Set(
  listTables(({ holds }) => holds === 'content').filter((name) => name !== 'workspace_heads'),
);

/** Inserts into `columns` what `cells` select from `source`. The rows are all of one workspace, if they are of any. */
function insertSelected(
  table: string,
  [row]: readonly StoredRow[],
  {
    columns,
    cells,
    source = [],
    parameters,
  }: { columns: string[]; cells: string[]; source?: string[]; parameters: unknown[] },
): CompiledQuery {
  const isHeaded = HEADED.has(table);
  const names = [...(isHeaded ? ['workspace_id'] : []), ...columns].map((name) => `"${name}"`).join();
  const from = [...(isHeaded ? ['workspace_heads as head'] : []), ...source].join();
  return CompiledQuery.raw(
    `insert into "${table}" (${names}) select ${[...(isHeaded ? ['head.workspace_id'] : []), ...cells].join()}
    ${from && `from ${from}`} where ${isHeaded ? `head.workspace_id = $${parameters.length + 1}` : 'true'}`,
    isHeaded ? [...parameters, must(row)['workspace_id']] : parameters,
  );
}

/** The columns that `insertSelected` gets from `rows`. */
const columnsOf = (table: string, rows: readonly StoredRow[]) =>
  Object.keys(must(rows[0])).filter((column) => column !== 'workspace_id' || !HEADED.has(table));

/** One parameter for all rows: the server would have to parse and plan parameters for each of them. */
function insertJson(table: string, rows: readonly StoredRow[], ending = ''): CompiledQuery {
  const columns = columnsOf(table, rows);
  const insert = insertSelected(table, rows, {
    columns,
    cells: columns.map((column) => `given."${column}"`),
    source: [`json_populate_recordset(null::"${table}", $1) as given`],
    parameters: [JSON.stringify(rows)],
  });
  return CompiledQuery.raw(`${insert.sql} ${ending}`, [...insert.parameters]);
}

/**
 * One parameter for each column, which the server splits in three quarters of the time that it takes to read JSON. Null where that
 * cannot hold the rows: a text of theirs has one of the characters between texts, or it is a single row, whose empty text would be no text.
 */
function insertColumns(table: string, rows: readonly StoredRow[]): CompiledQuery | null {
  if (rows.length === 1) return insertOne(table, must(rows[0]));
  const columns = columnsOf(table, rows);
  const cells: string[] = [];
  const parameters: string[] = [];
  for (const column of columns) {
    const values = rows.map((row) => row[column] ?? null);
    const some = values.find((value) => value !== null);
    if (some === undefined) {
      cells.push('null');
    } else if (typeof some === 'number') {
      parameters.push(`{${values.map((value) => value ?? 'null').join()}}`);
      cells.push(`unnest(cast($${parameters.length} as bigint[]))`);
    } else {
      if (values.some((value) => String(value).includes(SEPARATOR) || value === NULL_TEXT)) return null;
      parameters.push(values.map((value) => value ?? NULL_TEXT).join(SEPARATOR));
      cells.push(`unnest(string_to_array($${parameters.length}, ${TEXTS}))`);
    }
  }
  return insertSelected(table, rows, { columns, cells, parameters });
}

function insertOne(table: string, row: StoredRow): CompiledQuery {
  const columns = Object.keys(row).map((column) => `"${column}"`);
  const places = columns.map((_, at) => `$${at + 1}`);
  return CompiledQuery.raw(`insert into "${table}" (${columns.join()}) values (${places.join()})`, Object.values(row));
}

/** Rows of about `max` characters, or of about `CHUNK` where they would be few. */
function* chunksOf(rows: Iterable<StoredRow>, max: number): Iterable<StoredRow[]> {
  let chunk: StoredRow[] = [];
  let length = 0;
  for (const row of rows) {
    chunk.push(row);
    for (const name in row) {
      const value = row[name];
      length += typeof value === 'string' ? value.length : NUMBER_LENGTH;
    }
    if (length < (chunk.length < PLANNED_ONCE_MIN ? CHUNK : max)) continue;
    yield chunk;
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield chunk;
}
