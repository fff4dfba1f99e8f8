import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Rules } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import { putContacts, subscribeContact, unsubscribeContact } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { startTestReceiver, type TestReceiver } from '../testing/testReceiver.ts';
import { addDeliveries } from './addDeliveries.ts';
import { deliverDue } from './deliver.ts';
import { listDeliveries } from './deliveries.ts';
import { createDestination, listDestinations, rotateSecret, updateDestination } from './destinations.ts';
import type { Mailer } from './mail/mailer.ts';
import { planWorkspace } from './planning/planWorkspace.ts';
import { replayAlarms } from './planning/replayAlarms.ts';

// One damaged row keeps nothing from the others.

const MINUTE = 60_000;
const RULES: Rules = { incidents: [{}], contact_changes: true, digest: false, heartbeat: false };
const { signal: RUNS } = new AbortController();

let t: TestDatabase;
let receiver: TestReceiver;
let now = NOW;
beforeAll(async () => {
  t = await openTestDatabase();
  receiver = await startTestReceiver();
  const contacts = ['a', 'b'].map((id) => ({ attributes: { customer_id: id } }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, contacts, NOW));
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

const by = () => ({ now, author: COMMAND });
const senders = { mailer: null, isAllowed: () => true, consoleUrl: null };

async function add(name: string): Promise<string> {
  const given = { kind: 'webhook' as const, name, address: receiver.url + name, rules: RULES };
  return (await createDestination(t.workspace, t.db, given, senders, by())).destination.uuid;
}

const damage = (uuid: string, set: { rules?: string; secrets?: string; address?: string }) =>
  t.db.write(t.workspace, (scope) => scope.update('destinations').set(set).where('uuid', '=', uuid).execute());

async function deliver(...destinations: string[]): Promise<void> {
  const context = { database: t.db, senders, now: () => now };
  for (const uuid of destinations) while (await deliverDue(context, t.workspace, uuid, RUNS));
}

const list = async () => (await listDestinations(t.workspace, t.db, ALL)).data;
const deliveriesOf = async (uuid: string) => must(await listDeliveries(t.workspace, t.db, uuid, ALL)).data;
const paths = () => receiver.received.splice(0).map(({ path }) => path.slice(1));

test('a destination whose rules can’t be read is shown with that, gets nothing, and works again with new ones', async () => {
  const [broken, whole] = [await add('broken'), await add('whole')];
  await damage(broken, { rules: '{"incidents":7}' });
  const [first, second] = (await list()).toSorted((one, other) => one.name.localeCompare(other.name));
  expect(first).toMatchObject({
    name: 'broken',
    rules: { incidents: [], contact_changes: false },
    disabled_at: expect.any(String) as string,
    disabled_reason: 'Its stored rules can’t be read. Edit it to set new ones.',
  });
  expect(second).toMatchObject({ name: 'whole', rules: RULES, disabled_at: null });
  expect(await t.db.read(t.workspace, (scope) => replayAlarms(scope, 0, null))).toEqual([]);

  await unsubscribeContact(t.workspace, t.db, 'a', CALLER, now);
  await planWorkspace(t.workspace, t.db, now);
  await deliver(broken, whole);
  expect(paths()).toEqual(['whole']);
  expect(await updateDestination(t.workspace, t.db, broken, { name: 'Broken' }, by())).toMatchObject({
    name: 'Broken',
    disabled_reason: expect.any(String) as string,
  });
  const corrected = await updateDestination(t.workspace, t.db, broken, { rules: RULES }, by());
  expect(corrected).toMatchObject({ rules: RULES, disabled_at: null, disabled_reason: null });
});

test('one whose secrets can’t be read waits for a new one, and one without a URL fails', async () => {
  const [secretless, lost] = [await add('secretless'), await add('lost')];
  await damage(secretless, { secrets: '{' });
  await damage(lost, { address: 'hooks' });
  expect(await list()).toHaveLength(4);
  await unsubscribeContact(t.workspace, t.db, 'b', CALLER, now);
  await planWorkspace(t.workspace, t.db, now);
  await deliver(secretless, lost);
  expect(paths()).toEqual([]);
  for (const uuid of [secretless, lost]) {
    expect(await deliveriesOf(uuid)).toMatchObject([
      { state: 'waiting', error: expect.stringContaining('can’t be read') as string },
    ]);
  }
  expect(await rotateSecret(t.workspace, t.db, secretless, by())).toMatchObject({
    secret: expect.stringMatching(/^whsec_/) as string,
  });
  now += MINUTE;
  await deliver(secretless);
  expect(paths()).toEqual(['secretless']);
});

test('a message that can’t be read fails, and holds up no other', async () => {
  const uuid = await add('reader');
  for (const id of ['a', 'b']) await subscribeContact(t.workspace, t.db, id, null, CALLER, now);
  await planWorkspace(t.workspace, t.db, now);
  const [last] = await deliveriesOf(uuid);
  await t.db.write(t.workspace, (scope) =>
    scope.update('messages').set({ body: '{' }).where('uuid', '=', must(last).message).execute(),
  );
  await deliver(uuid);
  expect(paths()).toEqual(['reader']);
  expect((await deliveriesOf(uuid)).map(({ state, error, title }) => ({ state, error, title }))).toEqual(
    expect.arrayContaining([
      { state: 'failed', error: 'The stored message can’t be read.', title: 'A message that can’t be read' },
      { state: 'delivered', error: null, title: expect.stringContaining('subscribed again') as string },
    ]),
  );
});

test('a mail that can’t be written fails, and the next one leaves', async () => {
  const sent: string[] = [];
  const mailer: Mailer = {
    from: 'sendroom@ops.test',
    send: ({ subject }) => {
      sent.push(subject);
      return Promise.resolve({ isDelivered: true, detail: '' });
    },
  };
  const mailSenders = { ...senders, mailer };
  const given = { kind: 'mail' as const, name: 'ops', address: 'ops@ops.test', rules: RULES };
  const { uuid } = (await createDestination(t.workspace, t.db, given, mailSenders, by())).destination;
  const message = '00000000-0000-4000-8000-000000000001';
  await t.db.write(t.workspace, async (scope) => {
    const about = { about: message, incident_uuid: null, contact_uuid: null, log_number: null, planned_at: now };
    const row = { uuid: message, created_at: now, kind: 'digest' as const, ...about, body: '{}' };
    await scope.insert('messages', row).execute();
    await addDeliveries(scope, [{ message, destination: uuid, state: 'waiting' }], now);
  });
  await unsubscribeContact(t.workspace, t.db, 'a', CALLER, now);
  await planWorkspace(t.workspace, t.db, now);
  const context = { database: t.db, senders: mailSenders, now: () => now };
  while (await deliverDue(context, t.workspace, uuid, RUNS));
  expect(sent).toEqual([expect.stringMatching(/^Contact \S+ unsubscribed$/)]);
  expect(await deliveriesOf(uuid)).toContainEqual(
    expect.objectContaining({ message, state: 'failed', error: expect.stringContaining('can’t be written') as string }),
  );
});
