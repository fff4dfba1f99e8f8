import { must } from '#contract/values/must.ts';

/**
 * All rows, read page by page. `page` gives the rows after `last`, the last row of the previous page; an empty page
 * ends it.
 */
export async function* iteratePages<Row>(page: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row> {
  let rows = await page(null);
  while (rows.length > 0) {
    yield* rows;
    rows = await page(must(rows.at(-1)));
  }
}

/** Rows in a page of an iteration: so few that even the largest rows fit into memory. */
export const ITERATION_PAGE_SIZE = 200;

/**
 * The same for all records of a table, which have 64 KiB at most. A page costs as much as some hundred rows, and with more than these an
 * export takes as long. The rows of a page say nothing of how large the next ones are.
 */
export const EXPORT_PAGE_SIZE = 1000;

/** All rows as pages of lines. `page` is as above, and `format` gives the lines of some rows. */
export async function* iterateLines<Row>(
  page: (last: Row | null) => Promise<Row[]>,
  format: (rows: readonly Row[]) => string[] | Promise<string[]>,
): AsyncGenerator<string[]> {
  let rows = await page(null);
  while (rows.length > 0) {
    yield await format(rows);
    rows = await page(must(rows.at(-1)));
  }
}
