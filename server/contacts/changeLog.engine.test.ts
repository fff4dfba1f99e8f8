import { afterEach, beforeEach, expect, test } from 'vitest';
import type { FieldChange } from '#contract/change.ts';
import type { Suppression } from '#contract/suppressions/suppression.ts';
import type { Attributes } from '#contract/values/field.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import type { ImportedContact } from './addContacts.ts';
import { listContactChanges } from './changeLog.ts';
import { findContact, putContacts, subscribeContact, unsubscribeContact, updateContact } from './store.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
  await put({ ...ada, subscribed: true });
});
afterEach(() => t[Symbol.asyncDispose]());

const ada = {
  uuid: '0a1b2c3d-0000-4000-8000-00000000000a',
  attributes: { email: 'ada@example.com', first_name: 'Ada' },
};
const put = (contact: ImportedContact) => t.db.write(t.workspace, (scope) => putContacts(scope, [contact], NOW));
const update = (changes: Attributes, now = NOW) => updateContact(t.workspace, t.db, ada.uuid, changes, CALLER, now);
const unsubscribe = (now = NOW) => unsubscribeContact(t.workspace, t.db, ada.uuid, CALLER, now);
const subscribe = (now = NOW) => subscribeContact(t.workspace, t.db, ada.uuid, 'Asked by phone', CALLER, now);
const log = (query = ALL) => listContactChanges(t.workspace, t.db, ada.uuid, query);

test('what was there before, what is there now, when, by whom and why', async () => {
  await update({ first_name: 'Augusta', company: 'Acme', note: null });
  await unsubscribe(NOW + 1000);
  await subscribe(NOW + 2000);
  await update({ company: null, constructor: [1] }, NOW + 3000);
  const actor = { kind: 'token', uuid: CALLER.token.uuid, name: 'support', email: null };
  const line = (
    second: number,
    action: string,
    changes: FieldChange[],
    { reason = null, suppression = null }: { reason?: string | null; suppression?: Suppression | null } = {},
  ) => ({
    uuid: expect.any(String) as string,
    action,
    created_at: `2026-11-21T09:00:0${second}.000Z`,
    actor,
    request_id: CALLER.requestId,
    run: null,
    reason,
    suppression,
    changes,
  });
  expect(await log()).toEqual({
    data: [
      line(3, 'update', [
        { field: 'attributes.company', before: 'Acme', after: null },
        { field: 'attributes.constructor', before: null, after: [1] },
      ]),
      line(2, 'subscribe', [{ field: 'subscribed', before: false, after: true }], { reason: 'Asked by phone' }),
      line(1, 'unsubscribe', [{ field: 'subscribed', before: true, after: false }], {
        suppression: { reason: null, ticket: null, origin: 'program' },
      }),
      line(0, 'update', [
        { field: 'attributes.first_name', before: 'Ada', after: 'Augusta' },
        { field: 'attributes.company', before: null, after: 'Acme' },
      ]),
    ],
    meta: { current_page: 1, per_page: 100, total: 4, last_page: 1, has_next: false },
  });
});

test.each<[string, () => Promise<unknown>]>([
  ['an update with equal values', () => update({ first_name: 'Ada', unknown: null })],
  ['an update with no values', () => update({})],
  ['a second unsubscribe', () => unsubscribe(NOW + 5000)],
  ['an import of the same', () => put({ ...ada, subscribed: true })],
  ['a refused update', () => expect(update({ first_name: 'X', phone: '7' })).rejects.toThrow('already has this phone')],
])('has nothing of %s, which moves no time', async (_, act) => {
  await put({ attributes: { phone: '7' } });
  await unsubscribe();
  const before = [await findContact(t.workspace, t.db, ada.uuid), await log()];
  await act();
  expect([await findContact(t.workspace, t.db, ada.uuid), await log()]).toEqual(before);
});

test('an import that changes somebody is in it without a token, one that adds somebody is not', async () => {
  expect((await log())?.meta.total).toBe(0);
  await put({ attributes: { email: 'ADA@example.com', company: 'Acme' }, subscribed: false });
  expect((await log())?.data).toMatchObject([
    {
      action: 'import',
      actor: { kind: 'command', uuid: null, name: null, email: null },
      request_id: null,
      run: null,
      reason: null,
      changes: [
        { field: 'subscribed', before: true, after: false },
        { field: 'attributes.email', before: 'ada@example.com', after: 'ADA@example.com' },
        { field: 'attributes.company', before: null, after: 'Acme' },
      ],
    },
  ]);
});

test('pages neither repeat nor lose a row', async () => {
  for (let step = 0; step < 25; step++) await update({ step });
  const pages = await Promise.all([1, 2, 3, 4].map((page) => log({ ...ALL, page, per_page: 10 })));
  expect(pages.map((page) => page?.data.length)).toEqual([10, 10, 5, 0]);
  expect(pages.map((page) => page?.meta.total)).toEqual([25, 25, 25, 25]);
  const steps = pages.flatMap((page) => page?.data.map(({ changes }) => changes[0]?.after));
  expect(steps).toEqual(Array.from({ length: 25 }, (_, index) => 24 - index));
});
