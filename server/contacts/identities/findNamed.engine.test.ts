import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import type { Attributes } from '#contract/values/field.ts';
import { COMMAND } from '../../database/changeLog/author.ts';
import type { Workspace } from '../../database/workspace.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { createWorkspace } from '../../workspaces/store.ts';
import { verifyIdentities } from '../verifyIdentities.ts';
import { IdentityTakenError } from '../contactErrors.ts';
import {
  createContact,
  findContact,
  putContacts,
  readNextContactId,
  unsubscribeContact,
  updateContact,
} from '../store.ts';
import { findContacts } from './identities.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

/** A workspace, and an import into it, of which each call is a transaction. */
async function startImport() {
  const workspace: Workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: 'customer_id' }, NOW);
  const begin = () => t.db.read(workspace, readNextContactId);
  let addedFrom = await begin();
  return {
    workspace,
    begin: async () => (addedFrom = await begin()),
    put: (...lines: [Attributes, subscribed?: boolean][]) =>
      t.db.write(workspace, (scope) => {
        const contacts = lines.map(([attributes, subscribed = true]) => ({ attributes, subscribed }));
        return putContacts(scope, contacts, NOW, { ...COMMAND, addedFrom });
      }),
    isSubscribed: async (value: string) => (await findContact(workspace, t.db, value))?.subscribed,
    create: (attributes: Attributes, merges: boolean) =>
      createContact(workspace, t.db, { attributes }, merges, CALLER, NOW),
    [Symbol.asyncDispose]: async () => expect(await verifyIdentities(workspace, t.db, () => {})).toEqual([]),
  };
}

const refusedWith = (message: string) => [expect.objectContaining({ message })];

test('a phone number in another grouping means the contact that has it', async () => {
  await using to = await startImport();
  const { put, isSubscribed, create } = to;
  await put([{ email: 'b@i.example', phone: '+49 30 2222222' }], [{ phone: '+49302222223' }]);
  expect(await put([{ phone: '+49302222222' }, false], [{ phone: '0049 (0)30 222222-3' }, false])).toEqual([
    'changed',
    'changed',
  ]);
  expect([await isSubscribed('b@i.example'), await isSubscribed('+49 30 2222223')]).toEqual([false, false]);
  // In one file, and in a request of a program.
  expect(await put([{ phone: '+49 30 4444444' }], [{ phone: '+49304444444' }, false])).toEqual(['added', 'changed']);
  expect(await isSubscribed('+49 304444444')).toBe(false);
  expect(await create({ phone: '+49 30 444 4444', plan: 'gold' }, true)).toMatchObject({ created: false });
  await expect(create({ phone: '+49 3044 44444' }, false)).rejects.toMatchObject({ field: 'attributes.phone' });
});

test('a phone number in another grouping is not what names somebody with another email', async () => {
  await using to = await startImport();
  const { put, isSubscribed } = to;
  await put([{ email: 'jane@fam.example', phone: '+49 30 2222222' }]);
  expect(await put([{ email: 'joe@fam.example', phone: '+49302222222' }, false])).toEqual(['added']);
  expect([await isSubscribed('jane@fam.example'), await isSubscribed('joe@fam.example')]).toEqual([true, false]);
  // Who is meant now?
  const message = '2 contacts have this phone number, written otherwise. To change one, give its uuid.';
  expect(await put([{ phone: '+49 (0)30 222-2222' }, false])).toEqual([refusedWith(message)]);
});

const FORMS = ['ann@bücher.example', `ann@${'bücher'.normalize('NFD')}.example`, 'ann@XN--bcher-kva.example'];

test.each(FORMS)('%s finds who has its other form, also to unsubscribe', async (stored) => {
  const others = FORMS.flatMap((form) => [form, `${form}.`]).filter((form) => form !== stored);
  for (const other of others) {
    await using to = await startImport();
    const { workspace, put, isSubscribed, create } = to;
    await put([{ email: stored, phone: '+49 30 1' }], [{ email: 'ben@x.test' }]);
    expect(await isSubscribed(other)).toBe(true);
    const found = await t.db.read(workspace, (scope) => findContacts(scope, new Set([other, 'ben@x.test'])));
    expect([...found.keys()].toSorted()).toEqual([other, 'ben@x.test'].toSorted());
    await expect(create({ email: other }, false)).rejects.toMatchObject({ field: 'attributes.email' });
    const updated = updateContact(workspace, t.db, 'ben@x.test', { email: other }, CALLER, NOW);
    await expect(updated).rejects.toThrow(IdentityTakenError);
    expect(await unsubscribeContact(workspace, t.db, other, CALLER, NOW)).toMatchObject({
      attributes: { email: stored },
    });
    expect(await isSubscribed(stored)).toBe(false);
  }
});

test('an import finds who has the other form of an address, and one contact for both forms in a file', async () => {
  await using to = await startImport();
  const { workspace, put, isSubscribed } = to;
  const [unicode = '', , ascii = ''] = FORMS;
  await put([{ email: unicode, phone: '+49 30 1' }], [{ email: 'ben@x.test', phone: '+49 30 2' }]);
  // Not who has the phone.
  expect(await put([{ email: ascii }, false])).toEqual(['changed']);
  expect([await isSubscribed(unicode), await isSubscribed(ascii)]).toEqual([false, false]);
  expect(await put([{ email: unicode, phone: '+49 30 1', plan: 'gold' }])).toEqual(['changed']);
  expect(await put([{ email: 'eve@bücher.example' }], [{ email: 'eve@xn--bcher-kva.example', plan: 'gold' }])).toEqual([
    'added',
    'changed',
  ]);
  expect((await findContact(workspace, t.db, 'eve@bücher.example'))?.attributes).toMatchObject({ plan: 'gold' });
});

test('a custom ID that somebody with another email has doesn’t say who is to be unsubscribed, nor does one of two lines', async () => {
  await using to = await startImport();
  const { put, begin, isSubscribed, create } = to;
  const message = 'customer_id belongs to a contact with another email. To change that one, give its uuid.';
  const lines: [Attributes, boolean][] = ['h', 'k'].map((name) => [
    { email: `${name}@i.example`, customer_id: 0 },
    false,
  ]);
  expect(await put(...lines)).toEqual(['added', refusedWith(message)]);
  expect(await put([{ email: 'l@i.example', customer_id: 0 }])).toEqual([refusedWith(message)]);
  expect(await isSubscribed('h@i.example')).toBe(false);
  await put([{ email: 'old@i.example', customer_id: 'C1' }]);
  await begin();
  expect(await put([{ email: 'new@i.example', customer_id: 'C1' }, false])).toEqual([refusedWith(message)]);
  expect(await isSubscribed('old@i.example')).toBe(true);
  // A new email of a customer.
  expect(await put([{ email: 'new@i.example', customer_id: 'C1' }])).toEqual(['changed']);
  expect(await create({ email: 'newer@i.example', customer_id: 'C1' }, true)).toMatchObject({ created: false });
});

test('what is hardly an address adds nobody, but still names who has it', async () => {
  await using to = await startImport();
  const { workspace, put, isSubscribed, create } = to;
  await create({ email: 'old@x.example;' }, false);
  const message = 'email has ; in it, which no address has. Write the address alone, such as jane@example.com.';
  expect(
    await put(
      [{ email: 'j2@x.example;', phone: '+49 30 5' }, false],
      [{ email: 'old@x.example;' }, false],
      [{ email: 'j2@x.example' }, false],
    ),
  ).toEqual([refusedWith(message), 'changed', 'added']);
  expect(await isSubscribed('old@x.example;')).toBe(false);
  expect(await put([{ email: 'old@x.example;', plan: 'gold' }])).toEqual(['changed']);
  expect(await findContact(workspace, t.db, '+49 30 5')).toBeNull();
});

test.each(['-', ' – ', '.', '?', '***'])('%j is neither a phone number nor an ID', async (none) => {
  await using to = await startImport();
  const { workspace, put, isSubscribed } = to;
  const people = ['h', 'k'].map((name) => `${name}@i.example`);
  const lines = people.map((email): [Attributes, boolean] => [{ email, phone: none, customer_id: none }, false]);
  expect(await put(...lines)).toEqual(['added', 'added']);
  expect(await Promise.all(people.map(isSubscribed))).toEqual([false, false]);
  expect(await findContact(workspace, t.db, none)).toBeNull();
  expect(must(await findContact(workspace, t.db, 'k@i.example')).attributes['customer_id']).toBe(none);
  expect(await put([{ customer_id: none }])).toEqual([refusedWith('A contact needs a uuid or an identity.')]);
});
