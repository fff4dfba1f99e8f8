import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rules } from '#contract/notifications.ts';
import { putContacts, unsubscribeContact } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { putVerdicts } from '../domains/putVerdicts.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { importDomain } from '../testing/testDomains.ts';
import { adviceLine } from '../testing/testLooks.ts';
import { startTestReceiver, type TestReceiver } from '../testing/testReceiver.ts';
import { createDestination } from './destinations.ts';
import { notifyOnce } from './notify.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const RULES: Rules = { incidents: [{}], contact_changes: true, digest: false, heartbeat: true };
/** The clock of the service is ahead. */
const AHEAD = NOW + 400 * DAY;

let t: TestDatabase;
let receiver: TestReceiver;
let now = AHEAD;
beforeAll(async () => {
  t = await openTestDatabase();
  receiver = await startTestReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

const senders = { mailer: null, isAllowed: () => true, consoleUrl: null };

async function work(): Promise<string[]> {
  const { signal } = new AbortController();
  const log = { info: () => {}, warn: () => {}, error: (fields: object) => expect(fields).toEqual({}) };
  const running: Parameters<typeof notifyOnce>[1] = new Map();
  // What is planned is delivered in the same round.
  await notifyOnce({ database: t.db, senders, now: () => now, log }, running, signal);
  await Promise.all(Array.from(running.values(), ({ done }) => done));
  return receiver.received.splice(0).map(({ body: { type } }) => type);
}

/** An incident opens. */
async function fail(name: string): Promise<void> {
  const uuid = await importDomain(t.workspace, t.db, { name }, now - DAY);
  for (const [result, at] of [
    ['ok', now - DAY],
    ['fail', now - 10 * MINUTE],
    ['fail', now],
  ] as const)
    await putVerdicts(t.workspace, t.db, uuid, [adviceLine('dmarc', { result, cause: 'ns:a' })], at, DAY);
}

test('a clock that was ahead and is set back delays no message', async () => {
  const given = { kind: 'webhook' as const, name: 'hook', address: receiver.url, rules: RULES };
  await createDestination(t.workspace, t.db, given, senders, { now, author: COMMAND });
  await t.db.write(t.workspace, (scope) => putContacts(scope, [{ attributes: { customer_id: 'a' } }], now));
  await unsubscribeContact(t.workspace, t.db, 'a', CALLER, now);
  receiver.respond = () => 500;
  expect(await work()).toEqual(['contact.unsubscribed']);
  await fail('a.test');
  receiver.respond = () => 204;

  now = NOW;
  expect(await work()).toEqual(['contact.unsubscribed']);
  // A minute after the first of its cause.
  now += MINUTE;
  expect(await work()).toEqual(['incident.opened']);
  now = NOW + DAY;
  expect(await work()).toEqual(['heartbeat']);
});
