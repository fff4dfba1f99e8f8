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
