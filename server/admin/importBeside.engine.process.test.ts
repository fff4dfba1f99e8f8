import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { putContacts, unsubscribeContact, updateContact } from '../contacts/store.ts';
import { CALLER, ENGINE } from '../testing/testDatabase.ts';
import { ndjson, startTestAdmin, type TestAdmin, writeUntilEnded } from '../testing/testAdmin.ts';

const PEOPLE = 500;

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const emailOf = (number: number) => `c${number % PEOPLE}@example.com`;
const events = Array.from({ length: 40_000 }, (_, index) => ({
  contact: emailOf(index),
  event_name: `name ${index % 40}`,
  attributes: { index },
  created_at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
}));
const contacts = Array.from({ length: 1500 }, (_, index) => ({ attributes: { email: `new${index}@example.com` } }));

test.each([
  ['events', events],
  ['contacts', contacts],
])(
  'while %s are imported, whoever unsubscribes waits for a portion of them, and not for all',
  async (resource, lines) => {
    const people = Array.from({ length: PEOPLE }, (_, index) => ({ attributes: { email: emailOf(index) } }));
    await t.database.write(t.workspace, (scope) => putContacts(scope, people, 1));
    const file = await t.file('rows.ndjson', ndjson(lines));
    let done = 0;
    const said = await writeUntilEnded(t.importFile(resource, file), async () => {
      const contact = await unsubscribeContact(t.workspace, t.database, emailOf(done++), CALLER, 2);
      expect(contact?.subscribed).toBe(false);
    });
    expect(said.result()).toMatchObject({ added: lines.length });
    expect(done).toBeGreaterThan(10);
  },
);

/** Several batches of an import, long enough to do something else meanwhile. */
const LINES = ENGINE === 'sqlite' ? 5000 : 1500;

test('an import takes turns with a service that writes', async () => {
  const people = Array.from({ length: LINES }, (_, index) => ({
    attributes: { email: `person${index}@example.com` },
  }));
  await t.importFile('contacts', await t.file('first.ndjson', ndjson([{ attributes: { email: 'ada@example.com' } }])));
  const file = await t.file('people.ndjson', ndjson(people));
  let writes = 0;
  const imported = await writeUntilEnded(t.importFile('contacts', file), () =>
    updateContact(t.workspace, t.database, 'ada@example.com', { visits: ++writes }, CALLER, Date.now()),
  );
  expect(imported.result()).toMatchObject({ added: LINES, refused: 0 });
  const { attributes } = await t.database.unscoped.kysely
    .selectFrom('contacts')
    .select('attributes')
    .where('email_key', '=', 'ada@example.com')
    .executeTakeFirstOrThrow();
  expect(JSON.parse(attributes)).toMatchObject({ visits: writes });
  expect((await t.rows())['contacts']).toHaveLength(LINES + 1);
});

test('an import that is killed leaves whole batches, and importing again adds the rest', async () => {
  // Several times as long as the kill takes to arrive on a busy machine.
  const people = Array.from({ length: 4 * LINES }, (_, index) => ({
    attributes: { email: `person${index}@example.com` },
  }));
  const file = await t.file('people.ndjson', ndjson(people));
  const killer = new AbortController();
  const killed = t.admin(['import', 'contacts', file, '--workspace', t.workspace.uuid], { signal: killer.signal });
  const stored = async () =>
    t.database.unscoped.kysely
      .selectFrom('contacts')
      .select('email_key')
      .where('workspace_id', '=', t.workspace.id)
      .execute();
  await vi.waitUntil(async () => (await stored()).length > 0, { timeout: 30_000, interval: 1 });
  killer.abort();
  expect((await killed).code).toBeNull();
  // How many lines a batch has depends on how long the one before took.
  const emails = (await stored()).map(({ email_key }) => email_key);
  const before = emails.length;
  expect(new Set(emails)).toEqual(new Set(people.slice(0, before).map(({ attributes }) => attributes.email)));
  expect(await t.admin(['check', '--workspace', t.workspace.uuid])).toMatchObject({ code: 0 });
  expect((await t.importFile('contacts', file)).result()).toMatchObject({
    added: people.length - before,
    unchanged: before,
  });
  expect((await t.rows())['identities']).toHaveLength(people.length);
});
