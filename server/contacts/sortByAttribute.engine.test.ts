import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CheckedListQuery, SCANNED_MAX } from '#contract/list.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { listContacts } from './listContacts.ts';
import { putContacts } from './store.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const BY = 'attributes.rank of 1';
const [UP, DOWN] = [false, true].map((desc) => [{ id: BY, desc }]);
/** In this order: dates, numbers, texts, then those without one value by their uuid. */
const VALUES = ['2025-12-31', '2026-01-31T09:00:00Z', -3, 9, '10', 100, '9 lives', 'ápple', 'Gold', 'true', [1], null];
const indexOf = (uuid: string) => Number(uuid.slice(0, 8));

const list = async (query: Partial<CheckedListQuery>) => {
  const { data, meta } = await listContacts(t.workspace, t.db, { ...ALL, ...query }, NOW);
  return { found: data.map(({ uuid }) => indexOf(uuid)), total: meta.total };
};

test('contacts are sorted by what their attribute is, in both directions, with searches and filters', async () => {
  const contacts = VALUES.map((value, index) => ({
    uuid: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`,
    attributes: {
      email: `p${index}@x.test`,
      company: index % 2 === 0 ? 'Even' : 'Odd',
      ...(value !== null && { 'rank of 1': value }),
    },
  }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, contacts.toReversed(), NOW));
  const all = VALUES.map((_, index) => index);
  expect((await list({ sorting: UP })).found).toEqual(all);
  const valued = all.slice(0, 10);
  expect((await list({ sorting: DOWN })).found).toEqual([...valued.toReversed(), 11, 10]);
  const pages = [1, 2, 3].map((page) => list({ sorting: UP, page, per_page: 5 }));
  expect((await Promise.all(pages)).map(({ found }) => found)).toEqual([
    [0, 1, 2, 3, 4],
    [5, 6, 7, 8, 9],
    [10, 11],
  ]);
  const odd = all.filter((index) => index % 2 === 1);
  expect(await list({ sorting: UP, search: 'odd' })).toEqual({ found: odd, total: 6 });
  expect(await list({ sorting: UP, filters: { filter: 'company:odd' } })).toEqual({ found: odd, total: 6 });
  expect((await list({ sorting: UP, filters: { subscribed: false } })).found).toEqual([]);
});

test('more contacts than a request reads are refused, unless a filter leaves fewer', async () => {
  await t.db.write(t.workspace, (scope) =>
    scope
      .update('workspace_heads')
      .set({ contact_count: SCANNED_MAX + 1 })
      .execute(),
  );
  await expect(list({ sorting: UP })).rejects.toThrow(
    'At most 20,000 contacts are sorted by rank of 1. Filter the list.',
  );
  expect((await list({ sorting: UP, filters: { filter: 'subscribed' } })).found).toHaveLength(VALUES.length);
});
