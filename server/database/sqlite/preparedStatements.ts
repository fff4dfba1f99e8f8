import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Statements kept ready; the lists compose their SQL, so that their number is not known beforehand. */
const STATEMENTS_MAX = 300;

/** `columns` is empty where a statement gives no rows; it gives them as arrays. */
export type Prepared = { statement: StatementSync; columns: readonly string[]; blank: Row };

export type Row = Readonly<Record<string, unknown>>;
/** The values of a row, in the order of its columns. */
export type Cells = readonly unknown[];

/** The statements of one connection, each prepared when it first runs. */
export class PreparedStatements {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= STATEMENTS_MAX) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    // The rows that Node makes by itself take longer to make and to read: V8 keeps them as hash tables.
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const prepared = { statement, columns, blank: blankOf(columns) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** A row that has its columns, but no values yet. */
export function blankOf(columns: readonly string[]): Row {
  return Object.fromEntries(columns.map((name) => [name, null]));
}

export function rowOf({ columns, blank }: Pick<Prepared, 'columns' | 'blank'>, cells: Cells): Row {
  // A copy that is filled in takes less time than a row that gets its columns one by one.
  const row: Record<string, unknown> = { ...blank };
  let index = 0;
  for (const name of columns) row[name] = cells[index++];
  return row;
}
