/** All rows, read page by page: `page` gives those that follow `last`, the last row of the page before. */
export async function* iteratePages<Row>(page: (last: Row | null) => Promise<Row[]>): AsyncGenerator<Row> {
  let rows = await page(null);
  while (rows.length > 0) {
    yield* rows;
    rows = await page(rows.at(-1) ?? null);
  }
}

/** Rows in a page of a walk: so few that even the longest ones fit into memory. */
export const ITERATION_PAGE_SIZE = 200;
