import { CompiledQuery } from 'kysely';
import { chunks } from './chunks.ts';
import type { Transaction } from './database.ts';
import { isPostgres } from './engine.ts';
import type { Tables } from './tables.ts';

export type StoredRow = Readonly<Record<string, string | number | null>>;

/** Rows of one statement on SQLite, which takes 32,766 values. */
const ROWS_MAX = 200;

/**
 * Inserts rows that all have the same columns, as quickly as each engine takes many of them, and gives what `ending`
 * returns: SQL that follows the rows, such as `on conflict do nothing returning uuid`.
 */
export async function insertRows<Returned>(
  trx: Transaction,
  table: keyof Tables,
  rows: readonly StoredRow[],
  ending = '',
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const columns = Object.keys(rows[0] ?? {}).map((column) => `"${column}"`);
  const into = `insert into "${table}" (${columns.join()})`;
  const run = async (values: string, parameters: unknown[]) =>
    (await trx.executeQuery<Returned>(CompiledQuery.raw(`${into} ${values} ${ending}`, parameters))).rows;

  // One value holds them all: parameters of their own for each row would have to be parsed and planned.
  if (isPostgres(trx)) {
    return run(`select ${columns.join()} from json_populate_recordset(null::"${table}", $1)`, [JSON.stringify(rows)]);
  }
  const row = `(${columns.map(() => '?').join()})`;
  const returned: Returned[] = [];
  for (const chunk of chunks(rows, ROWS_MAX)) {
    returned.push(...(await run(`values ${chunk.map(() => row).join()}`, chunk.flatMap(Object.values))));
  }
  return returned;
}
