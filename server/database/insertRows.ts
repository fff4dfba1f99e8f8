import { CompiledQuery, sql } from 'kysely';
import type { Transaction } from './database.ts';
import { isPostgres } from './engine.ts';
import { buildConditions, lookUp, type LookupTarget } from './lookUp.ts';
import type { NewRow, Scope, WorkspaceTable } from './scope.ts';
import type { StoredRow, StoredValue } from './storedRow.ts';
import type { Tables } from './tables.ts';

/** Characters that go to the server at once. */
const CHUNK = 64 * 1024;

/** Inserts rows that all have the same columns, as quickly as each engine takes many of them. */
export async function insertRows(trx: Transaction, table: keyof Tables, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = columnsOf(rows);
  if (isPostgres(trx)) {
    const copy = `copy "${table}" (${columns.join()}) from stdin`;
    await trx.executeQuery(CompiledQuery.raw(copy, [copyLines(rows)]));
  } else {
    await trx.executeQuery(eachRow(table, columns, rows));
  }
}

/** Inserts those rows of which no other of the workspace holds the same in `key`, a text that is unique there. Gives these. */
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
    const missing = rows.filter((_, index) => {
      const found = keys[index] ?? '';
      return !seen.has(found) && seen.add(found);
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
 * Whether no row lies between the least and the greatest of `keys`, so that none of them has to be looked up: mostly so
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
 * Inserts rows with `ending`, SQL that follows the values, such as `on conflict ... do update ... returning ...`, for rows
 * that may be there. Gives what it returns.
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
    ? // One value holds them all: parameters of their own for each row would have to be parsed and planned.
      CompiledQuery.raw(
        `insert into "${table}" (${columns.join()})
         select ${columns.join()} from json_populate_recordset(null::"${table}", $1) ${conflictClause}`,
        [JSON.stringify(stored)],
      )
    : eachRow(table, columns, stored, conflictClause);
  return (await scope.kysely.executeQuery<Returned>(upsert)).rows;
}

function withWorkspace({ id }: Scope, rows: readonly StoredRow[]): StoredRow[] {
  return rows.map((row) => ({ workspace_id: id, ...row }));
}

function columnsOf([first = {}]: readonly StoredRow[]): string[] {
  return Object.keys(first).map((column) => `"${column}"`);
}

/** SQLite runs a statement once for each row sooner than one with many rows. */
function eachRow(table: string, columns: readonly string[], rows: readonly StoredRow[], ending = ''): CompiledQuery {
  const values = columns.map(() => '?').join();
  return CompiledQuery.raw(
    `insert into "${table}" (${columns.join()}) values (${values}) ${ending}`,
    rows.map((row) => Object.values(row)),
  );
}

/** Rows as COPY reads them (https://www.postgresql.org/docs/current/sql-copy.html, text format), in portions. */
function* copyLines(rows: readonly StoredRow[]): Iterable<string> {
  let chunk = '';
  for (const row of rows) {
    chunk += `${Object.values(row).map(copyCell).join('\t')}\n`;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function copyCell(value: StoredValue): string | number {
  if (value === null) return '\\N';
  if (typeof value === 'number' || !SPECIAL.test(value)) return value;
  return value.replaceAll(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? character);
}
