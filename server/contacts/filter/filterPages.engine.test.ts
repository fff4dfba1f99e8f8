import { expect, test } from 'vitest';
import { COMMAND } from '../../database/changeLog/author.ts';
import { eraseContact } from '../../privacy/erase.ts';
import { NOW, openTestDatabase } from '../../testing/testDatabase.ts';
import { ALL } from '../../testing/testList.ts';
import { addIndex } from '../attributeIndex/manageIndexes.ts';
import { putEvents } from '../events/putEvents.ts';
import { listContacts } from '../listContacts.ts';
import { putContacts } from '../store.ts';

test('an erased contact with many events is in no list before these are deleted', async () => {
  await using t = await openTestDatabase();
  const uuid = '0d000000-0000-4000-8000-000000000001';
  const events = Array.from({ length: 600 }, (_, index) => ({
    contact: uuid,
    event_name: 'bounced',
    attributes: {},
    created_at: NOW - index,
  }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, [{ uuid, attributes: {} }], NOW));
  await t.db.write(t.workspace, (scope) => putEvents(scope, events, NOW));
  const bounced = { ...ALL, filters: { filter: 'event:bounced' } };
  expect((await listContacts(t.workspace, t.db, bounced, NOW)).meta.total).toBe(1);
  await eraseContact(t.workspace, t.db, uuid, { identity: null }, COMMAND, NOW);
  expect(await listContacts(t.workspace, t.db, bounced, NOW)).toMatchObject({ data: [], meta: { total: 0 } });
});

const uuidOf = (index: number) => `0d000000-0000-4000-8000-${String(index).padStart(12, '0')}`;

test('pages of many contacts are the same however they are found', async () => {
  await using t = await openTestDatabase();
  const COUNT = 5_600;
  const numbers = Array.from({ length: COUNT }, (_, index) => index);
  const rows = numbers.map((index) => ({
    uuid: uuidOf(index),
    subscribed: index % 50 !== 0,
    attributes: { plan: index % 20 === 0 ? 'free' : 'gold', seats: index },
    created_at: NOW + ((index * 7919) % COUNT),
  }));
  for (let first = 0; first < COUNT; first += 1400) {
    const some = rows.slice(first, first + 1400);
    await t.db.write(t.workspace, (scope) => putContacts(scope, some, NOW), { isBulk: true });
  }
  const events = numbers.map((index) => ({
    contact: uuidOf(index),
    event_name: 'sent',
    attributes: {},
    created_at: NOW,
  }));
  await t.db.write(t.workspace, (scope) => putEvents(scope, events, NOW), { isBulk: true });
  for (const attribute of ['plan', 'seats']) await addIndex(t.workspace, t.db, attribute, () => {});
  // As if many more met nothing.
  await t.db.write(t.workspace, (scope) => scope.update('workspace_heads').set({ contact_count: 300_000 }).execute());
  const kinds: [string, (row: (typeof rows)[number]) => boolean][] = [
    ['plan:gold', ({ attributes: { plan } }) => plan === 'gold'],
    ['-plan:free subscribed', ({ attributes: { plan }, subscribed }) => plan !== 'free' && subscribed],
    ['event:sent within 1d -seats:<100', ({ attributes: { seats } }) => seats >= 100],
    ['created:>=2026 -event:opened', () => true],
  ];
  for (const [text, holds] of kinds) {
    for (const desc of [true, false]) {
      const found = rows.filter(holds).toSorted((one, other) => (one.created_at - other.created_at) * (desc ? -1 : 1));
      expect(found.length).toBeGreaterThan(5_000);
      for (const page of [1, 2, 20, 270, Math.ceil(found.length / 10)]) {
        const query = { ...ALL, page, per_page: 10, filters: { filter: text }, sorting: [{ id: 'created_at', desc }] };
        const { data, meta } = await listContacts(t.workspace, t.db, query, NOW);
        expect([meta.total, data.map(({ uuid }) => uuid)], `${text}, page ${page}`).toEqual([
          found.length,
          found.slice((page - 1) * 10, page * 10).map(({ uuid }) => uuid),
        ]);
      }
    }
  }
}, 120_000);
