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
/** Characters that a large page may be expected to have. */
const LARGE_PAGE_CHARACTERS = 1024 * 1024;

/** How many rows the next page may have, after one whose `rows` rows had so many characters. */
export function nextPageSize(rows: number, characters: number): number {
  return (characters / rows) * LARGE_PAGE_SIZE <= LARGE_PAGE_CHARACTERS ? LARGE_PAGE_SIZE : ITERATION_PAGE_SIZE;
}

/**
 * All rows as pages of lines, for whoever writes all of a table. `page` gives the rows after `last`, at most `limit`, and `format` their
 * lines.
 */
export async function* iterateLines<Row>(
  page: (last: Row | null, limit: number) => Promise<Row[]>,
  format: (rows: readonly Row[]) => string[] | Promise<string[]>,
): AsyncGenerator<string[]> {
  let rows = await page(null, ITERATION_PAGE_SIZE);
  while (rows.length > 0) {
    const lines = await format(rows);
    yield lines;
    const characters = lines.reduce((sum, line) => sum + line.length, 0);
    rows = await page(must(rows.at(-1)), nextPageSize(lines.length, characters));
  }
}
