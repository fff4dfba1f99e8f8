import { expect, test } from 'vitest';
import { createPageMeta, type Page } from '#contract/list.ts';
import { readAllRows, uuidOf, type ReadPage, type ResourceRow } from './readAllRows.ts';

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

async function walk(read: ReadPage) {
  const uuids: string[] = [];
  let calls = 0;
  const walked = readAllRows((page, perPage) => {
    calls++;
    if (calls > 60) throw new Error('It does not end.');
    return read(page, perPage);
  });
  for (;;) {
    const { done, value } = await walked.next();
    if (done) return { uuids, ending: value, calls };
    uuids.push(...value.rows.map(uuidOf));
  }
}

const uuidsOf = (list: readonly ResourceRow[]) => list.map(uuidOf);

test.each([
  [0, 100],
  [1, 100],
  [100, 100],
  [101, 100],
  [250, 100],
  [95, 20],
])('all of %d rows, in their order, from a service whose pages have %d', async (count, largest) => {
  const { uuids, ending } = await walk(service(() => rows(count), largest));
  expect(uuids).toEqual(uuidsOf(rows(count)));
  expect(ending).toEqual({ changed: false, cut: false });
});

/** The list is `before` for the first two calls, and `after` from then on. */
function changing(before: ResourceRow[], after: ResourceRow[]): ReadPage {
  let calls = 0;
  return service(() => (++calls > 2 ? after : before));
}

const MANY = rows(350);
test.each([
  ['comes on top', MANY, [{ uuid: 'new' }, ...MANY], true],
  ['moves, though there are as many as before', MANY, [...MANY.slice(340, 341), ...MANY.toSpliced(340, 1)], false],
  ['goes away, which lets another one slip past', MANY, MANY.slice(1), false],
  ['comes after the last page was read', rows(150), [{ uuid: 'new' }, ...rows(149)], true],
])('a row that %s is told, and is no row twice', async (_, before, after, hasAll) => {
  const { uuids, ending } = await walk(changing(before, after));
  expect(ending.changed).toBe(true);
  expect(new Set(uuids).size).toBe(uuids.length);
  if (hasAll) expect(uuids).toEqual(uuidsOf(before));
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
