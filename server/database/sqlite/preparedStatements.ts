import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements kept ready; the lists compose their SQL, so that their number is not known beforehand. */
const STATEMENTS_MAX = 300;

/** `columns` is empty where a statement gives no rows; it gives them as arrays. */
export type PreparedStatement = { statement: StatementSync; columns: readonly string[]; emptyRow: ResultRow };

export type ResultRow = Readonly<Record<string, unknown>>;
/** The values of a row, in the order of its columns. */
export type RowValues = readonly unknown[];

/** The statements of one connection, each prepared when it first runs. */
export class PreparedStatements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, PreparedStatement>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): PreparedStatement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= STATEMENTS_MAX) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    // The rows that Node makes by itself take longer to make and to read: V8 keeps them as hash tables.
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const prepared = { statement, columns, emptyRow: createEmptyRow(columns) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** A row that has its columns, but no values yet. */
export function createEmptyRow(columns: readonly string[]): ResultRow {
  return Object.fromEntries(columns.map((name) => [name, null]));
}

export function rowOf(
  { columns, emptyRow }: Pick<PreparedStatement, 'columns' | 'emptyRow'>,
  cells: RowValues,
): ResultRow {
  // A copy that is filled in takes less time than a row that gets its columns one by one.
  const row: Record<string, unknown> = { ...emptyRow };
  let index = 0;
  for (const name of columns) row[name] = cells[index++];
  return row;
}
