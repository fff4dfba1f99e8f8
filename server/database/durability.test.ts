import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkCounters } from '../contacts/checkCounters.ts';
import { findContact, putContacts } from '../contacts/store.ts';
import { CALLER, openTestDatabase, NOW, type TestDatabase } from './testDatabase.ts';
import { startProcess } from './testProcess.ts';

vi.setConfig({ testTimeout: 60_000 });

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase({ isDurable: true });
});
afterEach(() => t[Symbol.asyncDispose]());

const ROUNDS = 5;
/** More than a round can write before it is killed. */
const CONTACTS = 1000;

test('what was acknowledged before a kill -9 is there after it, and nothing is half done', async () => {
  const emails = Array.from({ length: CONTACTS }, (_, index) => `c${index}@example.com`);
  await t.db.write(t.workspace, (trx) =>
    putContacts(
      t.workspace,
      trx,
      emails.map((email) => ({ attributes: { email } })),
      NOW,
    ),
  );
  let next = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const writer = startProcess(`
      import { openDatabase } from './database.ts';
      import { unsubscribeContact } from '../contacts/store.ts';
      import { putEvents } from '../contacts/putEvents.ts';
      const db = await openDatabase(${JSON.stringify(t.url)});
      const workspace = ${JSON.stringify(t.workspace)};
      for (let index = ${next}; index < ${CONTACTS}; index++) {
        const contact = 'c' + index + '@example.com';
        await unsubscribeContact(workspace, db, contact, ${JSON.stringify(CALLER)}, ${NOW});
        await db.write(workspace, (trx) => putEvents(workspace, trx, [{ contact: 'c0@example.com', event_name: 'e' + index % 7, attributes: {} }], ${NOW} + index));
        console.log(index);
      }`);
    const until = next + 5 + round * 13;
    let acknowledged = next - 1;
    while (acknowledged < until) acknowledged = Number(await writer.line());
    await writer.kill();
    for (let line = await writer.line(); line !== null; line = await writer.line()) acknowledged = Number(line);

    for (const email of emails.slice(next, acknowledged + 1)) {
      expect(await findContact(t.workspace, t.db, email)).toMatchObject({ subscribed: false });
    }
    const { count } = await t.db.kysely
      .selectFrom('events')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    // One more may have been written whose acknowledgement nobody read.
    expect(count - (acknowledged + 1)).toBeOneOf([0, 1]);
    next = count;
  }
  expect(await checkCounters(t.workspace, t.db)).toEqual([]);
});
