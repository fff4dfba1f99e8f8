import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements that are cached. Lists compose their SQL, so the number of different statements has no limit of its own. */
const STATEMENTS_MAX = 300;

/** `statement` gives rows as arrays of values. `columns` is empty where it gives no rows. */
export type PreparedStatement = { statement: StatementSync; columns: readonly string[]; emptyRow: ResultRow };

export type ResultRow = Readonly<Record<string, unknown>>;
/** The values of a row, in the order of its columns. */
export type RowValues = readonly unknown[];

/** Caches the statements of one connection. Each is prepared when it first runs. */
export class PreparedStatements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): PreparedStatement {
    const cached = this.#prepared.get(sql);
    if (cached !== undefined) return cached;
    if (this.#prepared.size >= STATEMENTS_MAX) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    // Node's own row objects are slower to create and to read: V8 stores them as hash tables.
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    if (columns.length === 0) allowAnyRowid(statement);
    const prepared = { statement, columns, emptyRow: createEmptyRow(columns) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  delete(sql: string): void {
    this.#prepared.delete(sql);
  }
}

/**
 * Without it a statement fails that gives no rows, after one that deleted from the search index: FTS5 leaves a number as the rowid
 * of the last insert that JavaScript does not have, and Node gives that number with every result.
 */
export function allowAnyRowid(statement: StatementSync): StatementSync {
  statement.setReadBigInts(true);
  return statement;
}

/** A row whose values are all null. */
export function createEmptyRow(columns: readonly string[]): ResultRow {
  return Object.fromEntries(columns.map((name) => [name, null]));
}

/** The row with the values `cells`. */
export function rowOf(
  { columns, emptyRow }: Pick<PreparedStatement, 'columns' | 'emptyRow'>,
  cells: RowValues,
): ResultRow {
  // Filling in a copy is faster than adding the columns one by one.
  const row: Record<string, unknown> = { ...emptyRow };
  let index = 0;
  for (const name of columns) row[name] = cells[index++];
  return row;
}
