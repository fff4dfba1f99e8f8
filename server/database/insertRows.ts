import { CompiledQuery, sql } from 'kysely';
import { must } from '#contract/must.ts';
import type { Transaction } from './database.ts';
import { isPostgres } from './engine.ts';
import { buildConditions, lookUp, type LookupTarget } from './lookUp.ts';
import type { NewRow, Scope, WorkspaceTable } from './scope.ts';
import type { StoredRow } from './storedRow.ts';
import type { Tables } from './tables.ts';

/** Characters that are sent to PostgreSQL at once. */
const CHUNK = 1024 * 1024;

/** Inserts rows that all have the same columns, in the way that is fastest on each engine. */
export async function insertRows(trx: Transaction, table: keyof Tables, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(rows);
  if (isPostgres(trx)) {
    for (const json of toJson(rows)) await trx.executeQuery(insertJson(table, columns, json));
  } else {
    await trx.executeQuery(eachRow(table, columns, rows));
  }
}

/**
 * Inserts the rows whose `key`, a unique text column, no row of the workspace has yet. Gives the rows that were
 * inserted.
 */
export async function insertNewRows<Name extends WorkspaceTable, Row extends NewRow<Name> & StoredRow>(
  scope: Scope,
  table: Name,
  key: keyof Row & string,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return [];
  if (isPostgres(scope.kysely)) {
    const keys = rows.map((row) => row[key] as string);
    const place = { table, fixed: {}, key };
    const isNew = await isKeyRangeEmpty(scope, place, keys);
    const seen = new Set(isNew ? [] : (await lookUp(scope, place, key, keys)).keys());
    const missing = rows.filter((row) => {
      const own = row[key] as string;
      return !seen.has(own) && seen.add(own);
    });
    await insertRows(scope.kysely, table, withWorkspace(scope, missing));
    return missing;
  }
  const stored = withWorkspace(scope, rows);
  const insert = eachRow(table, columnsOf(stored), stored, 'on conflict do nothing');
  const results = (await scope.kysely.executeQuery<{ changes: number }>(insert)).rows;
  return rows.filter((_, index) => results[index]?.changes === 1);
}

/**
 * Whether no row has a key from the least to the greatest of `keys`, so that none of them has to be looked up. That is usual
 * for rows that come in the order of their keys.
 */
async function isKeyRangeEmpty(scope: Scope, place: LookupTarget, keys: readonly string[]): Promise<boolean> {
  const least = keys.reduce((one, other) => (one < other ? one : other));
  const greatest = keys.reduce((one, other) => (one > other ? one : other));
  const rows = await scope.run(sql`
    select from ${sql.table(place.table)} where ${buildConditions(scope, place)}
      and ${sql.ref(place.key)} between ${least} and ${greatest}
    order by ${sql.ref(place.key)} limit 1`);
  return rows.length === 0;
}

/**
 * Inserts rows that may exist already. `conflictClause` is the SQL after the values, such as
 * `on conflict ... do update ... returning ...`. Gives the rows that it returns.
 */
export async function upsertRows<Returned, Name extends WorkspaceTable = WorkspaceTable>(
  scope: Scope,
  table: Name,
  rows: readonly (NewRow<Name> & StoredRow)[],
  conflictClause: string,
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const stored = withWorkspace(scope, rows);
  const columns = columnsOf(stored);
  const upsert = isPostgres(scope.kysely)
    ? insertJson(table, columns, must([...toJson(stored, Infinity)][0]), conflictClause)
    : eachRow(table, columns, stored, conflictClause);
  return (await scope.kysely.executeQuery<Returned>(upsert)).rows;
}

function withWorkspace({ id }: Scope, rows: readonly StoredRow[]): StoredRow[] {
  const own = { workspace_id: id };
  return rows.map((row) => ({ ...own, ...row, ...own }));
}

/** Of rows that all have the same columns; there is at least one row. */
function columnsOf(rows: readonly StoredRow[]): string[] {
  return Object.keys(must(rows[0])).map((column) => `"${column}"`);
}

/** SQLite runs a statement once for each row faster than one statement with many rows. */
function eachRow(table: string, columns: readonly string[], rows: readonly StoredRow[], ending = ''): CompiledQuery {
  const values = columns.map(() => '?').join();
  return CompiledQuery.raw(
    `insert into "${table}" (${columns.join()}) values (${values}) ${ending}`,
    rows.map((row) => Object.values(row)),
  );
}

/** One parameter for all rows: PostgreSQL would have to parse and plan parameters for each of them. */
function insertJson(table: string, columns: readonly string[], json: string, ending = ''): CompiledQuery {
  return CompiledQuery.raw(
    `insert into "${table}" (${columns.join()})
     select ${columns.join()} from json_populate_recordset(null::"${table}", $1) ${ending}`,
    [json],
  );
}

/** Rows as arrays of JSON of about `max` characters. */
function* toJson(rows: readonly StoredRow[], max = CHUNK): Iterable<string> {
  let chunk: string[] = [];
  let length = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    chunk.push(json);
    length += json.length;
    if (length < max) continue;
    yield `[${chunk.join()}]`;
    chunk = [];
    length = 0;
  }
  if (chunk.length > 0) yield `[${chunk.join()}]`;
}
