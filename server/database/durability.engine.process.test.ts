import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkCounters } from '../contacts/checkCounters.ts';
import { putEvents } from '../contacts/putEvents.ts';
import { findContact, putContacts } from '../contacts/store.ts';
import { CALLER, openTestDatabase, NOW, type TestDatabase } from '../testing/testDatabase.ts';
import { startProcess } from '../testing/testProcess.ts';

vi.setConfig({ testTimeout: 120_000 });

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase({ isDurable: true });
});
afterEach(() => t[Symbol.asyncDispose]());

const ROUNDS = 4;
/** More than all rounds can write before they are killed. */
const CONTACTS = 400;
/** Processes that write at once, each its own contacts, and events of one contact. */
const WRITERS = 2;
/** Events of that contact, enough to be counted by period, and the number of each write. */
const [EVENTS_BEFORE, EVENTS] = [1200, 5];

/** Writes contact after contact until it is killed, and prints which it has written. A repeated write adds nothing. */
const startWriter = (first: number) =>
  startProcess(
    import.meta.dirname,
    `
    import { openDatabase } from './openDatabase.ts';
    import { unsubscribeContact } from '../contacts/store.ts';
    import { putEvents } from '../contacts/putEvents.ts';
    const db = await openDatabase(${JSON.stringify(t.url)});
    const workspace = ${JSON.stringify(t.workspace)};
    for (let index = ${first}; index < ${CONTACTS}; index += ${WRITERS}) {
      await unsubscribeContact(workspace, db, 'c' + index + '@example.com', ${JSON.stringify(CALLER)}, ${NOW});
      const events = Array.from({ length: ${EVENTS} }, (_, at) => ({
        contact: 'c0@example.com', event_name: 'e' + at, attributes: {}, created_at: ${NOW} + index * 1000,
      }));
      await db.write(workspace, (scope) => putEvents(scope, events, ${NOW}));
      console.log(index);
    }`,
  );

test('what was acknowledged before a kill -9 is there after it, and nothing is half done or half counted', async () => {
  const emails = Array.from({ length: CONTACTS }, (_, index) => `c${index}@example.com`);
  const people = emails.map((email) => ({ attributes: { email } }));
  const before = Array.from({ length: EVENTS_BEFORE }, (_, at) => ({
    contact: 'c0@example.com',
    event_name: `before${at % 3}`,
    attributes: { at },
    created_at: NOW - at * 60_000,
  }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, people, NOW));
  await t.db.write(t.workspace, (scope) => putEvents(scope, before, NOW));

  const next = Array.from({ length: WRITERS }, (_, writer) => writer);
  for (let round = 0; round < ROUNDS; round++) {
    const killed = next.map(async (first, index) => {
      const writer = startWriter(first);
      const until = first + WRITERS * (3 + ((round * 13 + index * 5) % 11));
      let acknowledged = first - WRITERS;
      while (acknowledged < until) {
        const line = await writer.line();
        if (line === null) throw new Error('The writer ended by itself.');
        acknowledged = Number(line);
      }
      await writer.kill();
      for (let line = await writer.line(); line !== null; line = await writer.line()) acknowledged = Number(line);
      next[index] = acknowledged + WRITERS;
    });
    await Promise.all(killed);

    const acknowledged = emails.filter((_, index) => index < (next[index % WRITERS] ?? 0));
    for (const email of acknowledged) {
      expect(await findContact(t.workspace, t.db, email)).toMatchObject({ subscribed: false });
    }
    const { count } = await t.db.unscoped.kysely
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    // The last write of each may have been stored without its acknowledgement being read.
    const writes = Array.from(
      { length: WRITERS + 1 },
      (_, more) => EVENTS_BEFORE + EVENTS * (acknowledged.length + more),
    );
    expect(count).toBeOneOf(writes);
  }
  expect(await checkCounters(t.workspace, t.db)).toEqual([]);
});
