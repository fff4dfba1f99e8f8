import { must } from '#contract/must.ts';

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

/** Rows in a page where they are small, because each page costs as much as some hundred rows. */
const LARGE_PAGE_SIZE = 2000;
/** Characters of the rows of a page after which the next one is large. */
const LARGE_PAGE_CHARACTERS = 1024 * 1024;

/**
 * All rows as pages of lines, for whoever writes all of a table. `page` gives the rows after `last`, at most `limit`, and `format` the line
 * of each. Pages are larger where rows are small, so that memory does not depend on the rows.
 */
export async function* iterateLines<Row>(
  page: (last: Row | null, limit: number) => Promise<Row[]>,
  format: (row: Row) => string,
): AsyncGenerator<string[]> {
  let limit = ITERATION_PAGE_SIZE;
  let rows = await page(null, limit);
  while (rows.length > 0) {
    const lines = rows.map(format);
    yield lines;
    const characters = lines.reduce((sum, line) => sum + line.length, 0);
    const isSmall = (characters / lines.length) * LARGE_PAGE_SIZE <= LARGE_PAGE_CHARACTERS;
    limit = isSmall ? LARGE_PAGE_SIZE : ITERATION_PAGE_SIZE;
    rows = await page(must(rows.at(-1)), limit);
  }
}
