import { afterEach, beforeEach, expect, test } from 'vitest';
import { putContacts, unsubscribeContact } from '../contacts/store.ts';
import { CALLER } from '../testing/testDatabase.ts';
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
