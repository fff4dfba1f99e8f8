import { afterEach, beforeEach, expect, test } from 'vitest';
import { NOW, openTestDatabase, type TestDatabase } from '../../../testing/testDatabase.ts';
import { findContact, putContacts } from '../../../contacts/store.ts';
import { NO_CONTACT, OTHERS_EVENT, putEvents } from '../../../contacts/events/putEvents.ts';
import type { ImportedContact } from '../../../contacts/addContacts.ts';
import { BATCH_ROWS_MIN, emptyReport, importRows, type ImportReport } from './importRows.ts';
import { COMMAND } from '../../../database/changeLog/author.ts';
import type { LineSource } from './lineBatches.ts';
import { describeFieldErrors } from './lineSchemas.ts';
import { resourceTransfers } from './resources.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const DISK = new Error('The disk is broken.');
const LOG = new Error('There is no log.');
const email = (number: number) => `c${number}@example.com`;

function linesUntil(end: Error | null): LineSource {
  let batches = 0;
  return {
    async next(rowsMax) {
      if (batches++ > 0 && end !== null) throw end;
      if (batches > 1) return null;
      const rows = Array.from({ length: rowsMax }, (_, number) => {
        return { number, line: { attributes: { email: email(number) } } };
      });
      return { rows: [JSON.stringify(rows)], share: null };
    },
  };
}

test.each<
  [strict: boolean, end: Error | null, log: Error | null, kept: number, thrown: Error | null, unlogged: Error[]]
>([
  [false, null, null, BATCH_ROWS_MIN, null, []],
  [false, DISK, null, BATCH_ROWS_MIN, DISK, []],
  [false, null, LOG, BATCH_ROWS_MIN, null, [LOG]],
  [false, DISK, LOG, BATCH_ROWS_MIN, DISK, [LOG]],
  [true, DISK, null, 0, DISK, []],
  [true, null, LOG, 0, LOG, []],
])('strict: %j, ended by %s, with %s: %d rows are kept', async (strict, end, log, kept, thrown, errors) => {
  const done: number[] = [];
  const unlogged: Error[] = [];
  const report: ImportReport = emptyReport();
  const importing = importRows({
    database: t.db,
    workspace: t.workspace,
    report,
    lines: linesUntil(end),
    put: (scope, lines) => putContacts(scope, lines as readonly ImportedContact[], NOW),
    log: () => (log === null ? Promise.resolve() : Promise.reject(log)),
    strict,
    isDryRun: false,
    onBadLine: () => {},
    onUnlogged: (error) => unlogged.push(error),
    onProgress: (rows) => done.push(rows),
  });
  expect(
    await importing.then(
      () => null,
      (error: unknown) => error,
    ),
  ).toBe(thrown);
  expect([done, unlogged, report.added]).toEqual([[BATCH_ROWS_MIN], errors, kept]);
  const found = await Promise.all(
    [0, BATCH_ROWS_MIN - 1].map((number) => findContact(t.workspace, t.db, email(number))),
  );
  expect(found.map((contact) => contact !== null)).toEqual([kept > 0, kept > 0]);
});

const line = (attributes: ImportedContact['attributes'], subscribed = true): ImportedContact => {
  return { attributes: { phone: '+49 1', ...attributes }, subscribed };
};
const put = (...lines: ImportedContact[]) => t.db.write(t.workspace, (scope) => putContacts(scope, lines, NOW));
const isSubscribed = async (name: string) => (await findContact(t.workspace, t.db, name))?.subscribed;

test('who shares a phone with somebody does not become them, and their unsubscribe stays theirs', async () => {
  expect(await put(line({ email: 'jane@fam.example' }, false))).toEqual(['added']);
  const message = 'phone belongs to a contact with another email or ID. To change that one, give its uuid.';
  const refused = [expect.objectContaining({ message })];
  const others = [line({ email: 'joe@fam.example' }), line({ email: 'jim@fam.example', customer_id: 8 })];
  expect(await put(...others)).toEqual([refused, refused]);
  expect(await isSubscribed('jane@fam.example')).toBe(false);

  // The same contact with one more identity, with one less, or by its ID: it stays the same contact.
  expect(await put(line({ email: 'jane@fam.example', customer_id: 7 }), line({}))).toEqual(['changed', 'unchanged']);
  expect(await put({ attributes: { customer_id: 7, email: 'jane@new.example' } })).toEqual(['changed']);
  expect(await isSubscribed('jane@new.example')).toBe(false);
});

test('an event finds its contact by UUID or any identity, and stays with it', async () => {
  const [ada, bob] = [crypto.randomUUID(), crypto.randomUUID()];
  const event = { uuid: crypto.randomUUID(), event_name: 'opened', attributes: {} };
  const outcomes = await t.db.write(t.workspace, async (scope) => {
    await putContacts(
      scope,
      [
        { uuid: ada, attributes: { email: email(1), customer_id: 7 } },
        { uuid: bob, attributes: {} },
      ],
      NOW,
    );
    const contacts = [ada, ` ${email(1).toUpperCase()}`, '7', bob, 'nobody'];
    return putEvents(
      scope,
      contacts.map((contact) => ({ ...event, contact })),
      NOW,
    );
  });
  expect(outcomes).toEqual(['added', 'unchanged', 'unchanged', [OTHERS_EVENT], [NO_CONTACT]]);
});

const event = (contact: string, more: object) => {
  return { contact, event_name: 'opened', attributes: '{}', created_at: NOW, ...more };
};

test('an event whose contact was deleted since it was looked up is matched by what names the contact', async () => {
  const gone = 999_999;
  await put({ attributes: { email: email(1) } });
  const events = [
    event(email(1), { contact_id: gone }),
    event('nobody', { contact_id: gone }),
    event(crypto.randomUUID(), { contact_id: gone }),
  ];
  const outcomes = await t.db.write(t.workspace, (scope) => resourceTransfers.events.put(scope, events, NOW, COMMAND));
  expect(outcomes).toEqual(['added', [NO_CONTACT], [NO_CONTACT]]);
});

test('events that are arranged have the outcomes of the file, and faults name their lines in its order', async () => {
  const [ada, bob] = [crypto.randomUUID(), crypto.randomUUID()];
  const people = [ada, bob].map((uuid) => ({ uuid, attributes: {} }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, people, NOW));
  const uuid = crypto.randomUUID();
  const lines = [
    event('nobody', {}),
    event(bob, { uuid }),
    // The same UUID for a contact that is stored before: the first line has it.
    event(ada, { uuid: uuid.toUpperCase() }),
    event(ada, { created_at: NOW + 1 }),
    event(bob, { created_at: NOW + 2 }),
    event(ada, { created_at: NOW + 1 }),
  ];
  const rows = [
    ...lines.map((line, index) => ({ number: index + 1, line })),
    { number: 7, fault: "The line isn't JSON." },
  ];
  let isRead = false;
  const report = emptyReport();
  const bad: number[] = [];
  const { put, arrange } = resourceTransfers.events;
  await importRows({
    database: t.db,
    workspace: t.workspace,
    report,
    lines: {
      async next() {
        if (isRead) return null;
        isRead = true;
        return { rows: [JSON.stringify(rows)], share: 1 };
      },
    },
    put: (scope, checked) => put(scope, checked, NOW, COMMAND),
    arrange,
    log: () => Promise.resolve(),
    strict: false,
    isDryRun: false,
    onBadLine: ({ number }) => bad.push(number),
    onUnlogged: () => {},
    onProgress: () => {},
  });
  expect(report).toEqual({
    added: 3,
    added_unsubscribed: 0,
    changed: 0,
    unchanged: 1,
    refused: 3,
    faults: [
      { line: 1, message: describeFieldErrors([NO_CONTACT]) },
      { line: 3, message: describeFieldErrors([OTHERS_EVENT]) },
      { line: 7, message: "The line isn't JSON." },
    ],
  });
  expect(bad).toEqual([1, 3, 7]);
});
