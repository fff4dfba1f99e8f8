import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Transaction } from './database.ts';
import { insertRows } from './insertRows.ts';
import type { StoredRow } from './storedRow.ts';
import { listTables, TABLE_DESCRIPTIONS } from './schema/tableDescriptions.ts';
import type { Tables } from './schema/tables.ts';
import { ITERATION_PAGE_SIZE } from './paging/iteratePages.ts';

/** The tables to copy, each after those that its rows refer to. */
export const COPIED_TABLES = listTables(({ isCopied }) => isCopied);

/** The number of rows, by a scan of the table. */
export async function countRows(trx: Transaction, table: keyof Tables): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(trx);
  return must(rows[0]).count;
}

/** Copies every row of `table` as it is, a page at a time. `onPage` is called with the number of rows of each page. */
export async function copyTable(
  table: keyof Tables,
  source: Transaction,
  target: Transaction,
  onPage: (rows: number) => void,
): Promise<void> {
  for await (const rows of readPages(source, table)) {
    await insertRows(target, table, rows);
    onPage(rows.length);
  }
}

/** Compares every row of `table` on both sides, a page at a time, and gives one sentence for each difference. */
export async function* describeTableDifferences(
  table: keyof Tables,
  source: Transaction,
  target: Transaction,
  onPage: (rows: number) => void,
): AsyncGenerator<string> {
  const originals = new RowReader(source, table, onPage);
  const copies = new RowReader(target, table, () => {});
  for (;;) {
    // Only at the end of a page: waiting takes longer than comparing two rows.
    if (originals.isPageDone) await originals.readPage();
    if (copies.isPageDone) await copies.readPage();
    const { row: original } = originals;
    const { row: copy } = copies;
    if (original === null && copy === null) return;
    const order = original === null ? 1 : copy === null ? -1 : compareKeys(table, original, copy);
    if (original !== null && order < 0) yield `${nameOf(table, original)} is missing.`;
    if (copy !== null && order > 0) yield `${nameOf(table, copy)} should not be there.`;
    if (original !== null && order === 0) {
      for (const column in original) {
        if (original[column] !== copy?.[column]) yield `${nameOf(table, original)} differs in ${column}.`;
      }
    }
    if (order <= 0) originals.advance();
    if (order >= 0) copies.advance();
  }
}

/** Reads the rows of a table one after the other. */
class RowReader {
  readonly #pages: AsyncGenerator<StoredRow[]>;
  readonly #onPage: (rows: number) => void;
  #page: readonly StoredRow[] = [];
  #at = 0;
  #isDone = false;

  constructor(trx: Transaction, table: keyof Tables, onPage: (rows: number) => void) {
    this.#pages = readPages(trx, table);
    this.#onPage = onPage;
  }

  get isPageDone(): boolean {
    return !this.#isDone && this.#at === this.#page.length;
  }

  async readPage(): Promise<void> {
    const { value, done } = await this.#pages.next();
    this.#page = done === true ? [] : value;
    this.#isDone = done === true;
    this.#at = 0;
    this.#onPage(this.#page.length);
  }

  /** Null after the last one. */
  get row(): StoredRow | null {
    return this.#page[this.#at] ?? null;
  }

  advance(): void {
    this.#at++;
  }
}

/** All rows in the order of their key, a page at a time. */
async function* readPages(trx: Transaction, table: keyof Tables): AsyncGenerator<StoredRow[]> {
  let rows = await rowsAfter(trx, table, null);
  while (rows.length > 0) {
    yield rows;
    rows = await rowsAfter(trx, table, must(rows.at(-1)));
  }
}

/**
 * The page of rows after `last`, in the order of the key. There is no upper bound: with one, PostgreSQL would use
 * other indexes.
 */
async function rowsAfter(trx: Transaction, table: keyof Tables, last: StoredRow | null): Promise<StoredRow[]> {
  const keys = sql.join(TABLE_DESCRIPTIONS[table].primaryKey.map((column) => sql.ref(column)));
  const after =
    last === null
      ? sql``
      : sql`where (${keys}) > (${sql.join(TABLE_DESCRIPTIONS[table].primaryKey.map((column) => last[column]))})`;
  const { rows } = await sql<StoredRow>`
    select * from ${sql.table(table)} ${after} order by ${keys} limit ${sql.lit(ITERATION_PAGE_SIZE)}`.execute(trx);
  return rows;
}

/** The order of keys in both engines: numbers by value, text by its bytes. */
function compareKeys(table: keyof Tables, one: StoredRow, other: StoredRow): number {
  for (const column of TABLE_DESCRIPTIONS[table].primaryKey) {
    const [left, right] = [one[column], other[column]];
    const order =
      typeof left === 'number'
        ? left - Number(right)
        : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
    if (order !== 0) return order;
  }
  return 0;
}

function nameOf(table: keyof Tables, row: StoredRow): string {
  return `${table} ${TABLE_DESCRIPTIONS[table].primaryKey.map((column) => row[column]).join(' ')}`;
}
