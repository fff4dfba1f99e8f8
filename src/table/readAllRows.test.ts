import { expect, test } from 'vitest';
import { createPageMeta, type Page } from '#contract/list.ts';
import { readAllRows, type ReadAllResult, type ReadPage, type ResourceRow } from './readAllRows.ts';

const rows = (count: number): ResourceRow[] => Array.from({ length: count }, (_, index) => ({ uuid: `u${index}` }));

/** A service whose list is `list()` at each call, with pages of at most `largest` rows. */
const service =
  (list: () => ResourceRow[], largest = 100): ReadPage =>
  async (page, perPage) => {
    const all = list();
    const per_page = Math.min(perPage, largest);
    return {
      data: all.slice((page - 1) * per_page, page * per_page),
      meta: createPageMeta({ page, per_page }, all.length),
    };
  };

async function walk(
  read: ReadPage,
): Promise<{ uuids: string[]; totals: number[]; ending: ReadAllResult; calls: number }> {
  const uuids: string[] = [];
  const totals: number[] = [];
  let calls = 0;
  const walked = readAllRows((page, perPage) => {
    calls++;
    if (calls > 60) throw new Error('It does not end.');
    return read(page, perPage);
  });
  for (;;) {
    const { done, value } = await walked.next();
    if (done) return { uuids, totals, ending: value, calls };
    uuids.push(...value.rows.map(({ uuid }) => uuid));
    totals.push(value.total);
  }
}

const uuidsOf = (list: readonly ResourceRow[]) => list.map(({ uuid }) => uuid);

test.each([0, 1, 100, 101, 250])('all of %d rows, in their order', async (count) => {
  const { uuids, ending } = await walk(service(() => rows(count)));
  expect(uuids).toEqual(uuidsOf(rows(count)));
  expect(ending).toEqual({ changed: false, cut: false });
});

test('the pages are as large as the service makes them', async () => {
  const { uuids, ending } = await walk(service(() => rows(95), 20));
  expect(uuids).toEqual(uuidsOf(rows(95)));
  expect(ending.changed).toBe(false);
});

test('one page is asked for once', async () => {
  expect((await walk(service(() => rows(100)))).calls).toBe(1);
});

/** The list is `before` for the first two calls, and `after` from then on. */
function changing(before: ResourceRow[], after: ResourceRow[]): ReadPage {
  let calls = 0;
  return service(() => (++calls > 2 ? after : before));
}

test('a row that comes on top is no row twice, and is told', async () => {
  const before = rows(350);
  const { uuids, ending } = await walk(changing(before, [{ uuid: 'new' }, ...before]));
  expect(uuids).toEqual(uuidsOf(before));
  expect(ending.changed).toBe(true);
});

test('a row that moves is told, though there are as many as before', async () => {
  const before = rows(350);
  const { uuids, ending } = await walk(changing(before, [...before.slice(340, 341), ...before.toSpliced(340, 1)]));
  expect(new Set(uuids).size).toBe(uuids.length);
  expect(ending.changed).toBe(true);
});

test('a row that goes away lets another one slip past, and is told', async () => {
  const before = rows(350);
  expect((await walk(changing(before, before.slice(1)))).ending.changed).toBe(true);
});

test('a change after the last page was read is told', async () => {
  const before = rows(150);
  const { uuids, ending } = await walk(changing(before, [{ uuid: 'new' }, ...before.slice(0, 149)]));
  expect(uuids).toEqual(uuidsOf(before));
  expect(ending.changed).toBe(true);
});

/** Answers every page with the first one; `says`: what it claims that page to be. */
const pageless =
  (list: ResourceRow[], largest: number, says: (asked: number) => number): ReadPage =>
  async (page, perPage): Promise<Page<ResourceRow>> => {
    const per_page = Math.min(perPage, largest);
    return {
      data: list.slice(0, per_page),
      meta: { ...createPageMeta({ page: 1, per_page }, list.length), current_page: says(page) },
    };
  };

test.each([
  ['says so', () => 1],
  ['claims to have turned it', (asked: number) => asked],
])('where the page is ignored, and the service %s, one page grows', async (_, says) => {
  const { uuids, ending } = await walk(pageless(rows(950), 1000, says));
  expect(uuids).toEqual(uuidsOf(rows(950)));
  expect(ending).toEqual({ changed: false, cut: false });
});

test('a service that neither turns pages nor sends more ends the walk, and that is told', async () => {
  const { uuids, ending } = await walk(pageless(rows(950), 100, () => 1));
  expect(uuids).toEqual(uuidsOf(rows(100)));
  expect(ending).toEqual({ changed: false, cut: true });
});

test('"there is more" without anything more is not believed for ever', async () => {
  const { uuids, ending } = await walk(async (page) => ({
    data: page === 1 ? rows(3) : [],
    meta: { current_page: page, per_page: 100, total: 3, last_page: 99, has_next: true },
  }));
  expect(uuids).toEqual(uuidsOf(rows(3)));
  expect(ending.changed).toBe(false);
});
