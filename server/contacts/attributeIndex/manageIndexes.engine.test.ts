import { afterEach, beforeEach, expect, test } from 'vitest';
import { SCANNED_MAX } from '#contract/list.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { ALL } from '../../testing/testList.ts';
import { listContacts } from '../listContacts.ts';
import { createContact, putContacts, updateContact } from '../store.ts';
import { addIndex, INDEXES_MAX, listIndexes, removeIndex } from './manageIndexes.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const list = (filter: string) => listContacts(t.workspace, t.db, { ...ALL, filters: { filter } }, NOW);
const emailOf = (index: number) => `p${index}@x.test`;
const fill = (count: number) =>
  t.db.write(t.workspace, (scope) =>
    putContacts(
      scope,
      Array.from({ length: count }, (_, index) => ({
        attributes: { email: emailOf(index), plan: index % 2 === 0 ? 'Gold' : 'Free' },
      })),
      NOW,
    ),
  );
/** As if it had so many. */
const pretendMany = (count = SCANNED_MAX + 1) =>
  t.db.write(t.workspace, (scope) => scope.update('workspace_heads').set({ contact_count: count }).execute());
const quiet = () => {};
const killedAfter = (count: number) => (rows: number) => {
  if (rows > count) throw new Error('killed');
};
const statesOf = async () => (await listIndexes(t.workspace, t.db)).map(({ name, state }) => `${name} ${state}`);

test('a large workspace needs an index, and says how to add it', async () => {
  await fill(4);
  await pretendMany();
  await expect(list('-plan:gold subscribed')).rejects.toThrow(
    `With more than 20,000 contacts, plan needs an index. An operator adds it: npm run admin -- index add --workspace ${t.workspace.uuid} plan`,
  );
  await expect(list(`"it's; -x":a`)).rejects.toThrow(
    String.raw`index add --workspace ${t.workspace.uuid} -- 'it'\''s; -x'`,
  );
  expect((await list('subscribed created:>=2026 -reason:complaint')).data).toHaveLength(4);
  expect((await list('-event:bounced')).data).toHaveLength(4);
  expect(await addIndex(t.workspace, t.db, 'plan', quiet)).toBe('added');
  expect(await addIndex(t.workspace, t.db, 'plan', quiet)).toBe('exists');
  expect((await list('plan:gold')).data.map(({ attributes }) => attributes['plan'])).toEqual(['Gold', 'Gold']);
  await removeIndex(t.workspace, t.db, 'plan', quiet);
  await expect(list('plan:gold')).rejects.toThrow('plan needs an index');
  await pretendMany(SCANNED_MAX);
  expect((await list('plan:gold')).data).toHaveLength(2);
});

test('an index that was interrupted has what is written meanwhile, and a repeat completes it', async () => {
  await fill(1_300);
  await expect(addIndex(t.workspace, t.db, 'plan', killedAfter(500))).rejects.toThrow('killed');
  expect(await statesOf()).toEqual(['plan building']);
  await pretendMany();
  await expect(list('plan:gold')).rejects.toThrow('The index of plan is being built.');
  await pretendMany(1_300);
  // Small enough to be scanned meanwhile.
  expect((await list('plan:gold')).meta.total).toBe(650);
  for (const index of [0, 1299]) {
    await updateContact(t.workspace, t.db, emailOf(index), { plan: 'Pro' }, CALLER, NOW);
  }
  await createContact(t.workspace, t.db, { attributes: { email: 'new@x.test', plan: 'pro' } }, false, CALLER, NOW);
  const seen: number[] = [];
  expect(await addIndex(t.workspace, t.db, 'plan', (rows) => seen.push(rows))).toBe('added');
  // Without those that were read before.
  expect(seen.at(-1)).toBe(301);
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
  expect((await list('plan:PRO')).meta.total).toBe(3);
  expect((await list('plan:gold')).meta.total).toBe(649);
});

test('a removal that was interrupted is completed by a repeat, and a new index has none of its values', async () => {
  await fill(1_300);
  await addIndex(t.workspace, t.db, 'plan', quiet);
  await expect(removeIndex(t.workspace, t.db, 'plan', killedAfter(0))).rejects.toThrow('killed');
  expect(await statesOf()).toEqual(['plan removing']);
  expect(await addIndex(t.workspace, t.db, 'plan', quiet)).toBe('removed');
  expect((await list('plan:gold')).meta.total).toBe(650);
  expect(await removeIndex(t.workspace, t.db, 'plan', quiet)).toBe(true);
  expect(await removeIndex(t.workspace, t.db, 'plan', quiet)).toBe(false);
  await addIndex(t.workspace, t.db, 'email', quiet);
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
  expect((await list('email:P7@x.test')).meta.total).toBe(1);
});

test('a workspace has a limited number of indexes', async () => {
  for (let number = 0; number < INDEXES_MAX; number++) await addIndex(t.workspace, t.db, `a${number}`, quiet);
  expect(await addIndex(t.workspace, t.db, 'one more', quiet)).toBe('full');
});

test.each([
  ['plan:gold anna', 'At character 11: This is no condition.'],
  [
    'created:2026-13',
    'At character 1: created needs a year, month, day or time in UTC, such as 2026-01 or 2026-01-31T08:00Z.',
  ],
  [Array.from({ length: 9 }, () => 'a:b').join(' '), 'A filter has at most 8 conditions.'],
  // Each of them is 18 letters without ligatures.
  [`plan:${'\ufdfa'.repeat(20)}`, 'At character 1: The value is too long.'],
])('%s is refused', async (filter, sentence) => {
  await expect(list(filter)).rejects.toThrow(sentence);
});
