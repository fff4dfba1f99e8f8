import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Rules } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import { putContacts, subscribeContact, unsubscribeContact } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import type { Workspace } from '../database/workspace.ts';
import { acceptFault } from '../domains/history/acceptances.ts';
import { putVerdicts } from '../domains/putVerdicts.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { importDomain } from '../testing/testDomains.ts';
import { ALL } from '../testing/testList.ts';
import { adviceLine } from '../testing/testLooks.ts';
import { startTestReceiver, type TestReceiver } from '../testing/testReceiver.ts';
import { createWorkspace } from '../workspaces/store.ts';
import { claimDue } from './claim.ts';
import { attempt, deliverDue, type DeliveryContext } from './deliver.ts';
import { listDeliveries, replayDelivery } from './deliveries.ts';
import { createDestination, listDestinations, updateDestination } from './destinations.ts';
import { planWorkspace } from './planning/planWorkspace.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The service isn't stopped. */
const { signal: RUNS } = new AbortController();
const NOTHING: Rules = { incidents: [], contact_changes: false, digest: false, heartbeat: false };

let t: TestDatabase;
let receiver: TestReceiver;
beforeAll(async () => {
  t = await openTestDatabase();
  receiver = await startTestReceiver();
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await t[Symbol.asyncDispose]();
});

let workspace: Workspace;
let now: number;
let context: DeliveryContext;
beforeEach(async () => {
  workspace = await createWorkspace(t.db, { name: 'w', identity_field: 'customer_id' }, NOW);
  now = NOW;
  const senders = { mailer: null, isAllowed: () => true, consoleUrl: null };
  context = { database: t.db, senders, now: () => now };
  receiver.received = [];
  receiver.respond = () => 204;
});

async function addDestination(name: string, rules: Partial<Rules>, fallback: string | null = null): Promise<string> {
  const given = {
    kind: 'webhook' as const,
    name,
    address: receiver.url + name,
    rules: { ...NOTHING, ...rules },
    fallback,
  };
  const by = { now, author: COMMAND };
  return (await createDestination(workspace, t.db, given, context.senders, by)).destination.uuid;
}

/** What the job does when it comes by. */
async function work(at = now): Promise<void> {
  now = at;
  while (await planWorkspace(workspace, t.db, now));
  const { data } = await listDestinations(workspace, t.db, ALL);
  // One may get what failed at another.
  for (const { uuid } of [...data, ...data]) while (await deliverDue(context, workspace, uuid, RUNS));
}

const told = () =>
  receiver.received.map(({ path, body: { type, data } }) => {
    const { domain, contact } = data as { domain?: { name: string }; contact?: string };
    return `${path.slice(1)} ${type} ${domain?.name ?? contact ?? ''}`.trim();
  });

const statesOf = async (destination: string) =>
  must(await listDeliveries(workspace, t.db, destination, ALL)).data.map(({ title, state }) => `${state}: ${title}`);

async function newDomain(name: string): Promise<string> {
  const uuid = await importDomain(workspace, t.db, { name }, NOW);
  await look(uuid, 'ok', NOW);
  return uuid;
}
const look = (uuid: string, result: 'fail' | 'ok', at: number, cause: string | null = 'ns:a') =>
  putVerdicts(workspace, t.db, uuid, [adviceLine('dmarc', { result, cause })], at, DAY);
/** An incident opens, or is closed, with the second. */
async function lookTwice(uuid: string, result: 'fail' | 'ok', at: number, cause: string | null = 'ns:a') {
  await look(uuid, result, at - 10 * MINUTE, cause);
  await look(uuid, result, at, cause);
}

describe('incidents', () => {
  test('of one cause are one message, and so is their end', async () => {
    const uuid = await addDestination('hook', { incidents: [{}] });
    const [a, b] = [await newDomain('a.test'), await newDomain('b.test')];
    await lookTwice(a, 'fail', NOW + HOUR);
    await lookTwice(b, 'fail', NOW + HOUR + 1000);
    await work(NOW + HOUR + 2000);
    expect(told()).toEqual([]);
    await work(NOW + HOUR + MINUTE);
    expect(told()).toEqual(['hook incident.opened a.test']);
    expect(must(receiver.received[0]).body.data).toMatchObject({
      other_count: 1,
      others: [{ domain: { name: 'b.test' } }],
    });
    await lookTwice(a, 'ok', NOW + 2 * HOUR);
    await work(NOW + 2 * HOUR + MINUTE);
    expect(told()).toHaveLength(1);
    await lookTwice(b, 'ok', NOW + 3 * HOUR);
    await work(NOW + 3 * HOUR + MINUTE);
    expect(told()).toEqual(['hook incident.opened a.test', 'hook incident.closed b.test']);
    expect(must(receiver.received[1]).body.data).toMatchObject({ others: [{ domain: { name: 'a.test' } }] });
    expect(await statesOf(uuid)).toHaveLength(4);
  });

  test('a fault that comes back while others of its cause go on is named once at the end', async () => {
    await addDestination('hook', { incidents: [{}] });
    const [a, b] = [await newDomain('a.test'), await newDomain('b.test')];
    await lookTwice(a, 'fail', NOW + HOUR);
    await lookTwice(b, 'fail', NOW + HOUR + 1000);
    await work(NOW + HOUR + MINUTE);
    for (const [hours, result] of [
      [2, 'ok'],
      [3, 'fail'],
      [4, 'ok'],
    ] as const) {
      await lookTwice(b, result, NOW + hours * HOUR);
      await work(NOW + hours * HOUR + MINUTE);
    }
    await lookTwice(a, 'ok', NOW + 5 * HOUR);
    await work(NOW + 5 * HOUR + MINUTE);
    expect(told()).toEqual(['hook incident.opened a.test', 'hook incident.closed a.test']);
    expect(must(receiver.received[1]).body.data).toMatchObject({
      other_count: 1,
      others: [{ domain: { name: 'b.test' } }],
    });
  });

  test('an opening that failed to arrive isn’t repeated once it’s over, nor is its end told', async () => {
    const uuid = await addDestination('hook', { incidents: [{}] });
    const a = await newDomain('a.test');
    receiver.respond = () => 500;
    await lookTwice(a, 'fail', NOW + HOUR, null);
    await work(NOW + HOUR);
    expect(told()).toEqual(['hook incident.opened a.test']);
    await lookTwice(a, 'ok', NOW + 2 * HOUR, null);
    receiver.respond = () => 204;
    await work(NOW + 2 * HOUR);
    expect(told()).toHaveLength(1);
    expect(await statesOf(uuid)).toEqual([expect.stringContaining('dropped'), expect.stringContaining('dropped')]);
  });

  test.each(['whose receiver hung up', 'whose process was killed'])(
    'an opening %s may have arrived: it is told although it’s over, and its end too',
    async (what) => {
      const uuid = await addDestination('hook', { incidents: [{}] });
      const a = await newDomain('a.test');
      await lookTwice(a, 'fail', NOW + HOUR, null);
      now = NOW + HOUR;
      await planWorkspace(workspace, t.db, now);
      receiver.respond = () => 0;
      if (what.includes('killed')) await claimDue(workspace, t.db, uuid, now);
      else await work();
      receiver.respond = () => 204;
      await lookTwice(a, 'ok', NOW + 2 * HOUR, null);
      await work(NOW + 2 * HOUR);
      expect(told().slice(-2)).toEqual(['hook incident.opened a.test', 'hook incident.closed a.test']);
    },
  );

  test('nor once somebody accepted it', async () => {
    await addDestination('hook', { incidents: [{}] });
    const a = await newDomain('a.test');
    receiver.respond = () => 500;
    await lookTwice(a, 'fail', NOW + HOUR, null);
    await work(NOW + HOUR);
    const fault = { subject: 'dmarc', code: 'TEST', reason: 'r', until: NOW + 10 * DAY };
    expect(await acceptFault(workspace, t.db, a, fault, COMMAND, NOW + HOUR)).not.toBe('other');
    await work(NOW + 2 * HOUR);
    expect(told()).toHaveLength(1);
  });

  test('if the first of a group is over before it arrives, the others are still told', async () => {
    await addDestination('hook', { incidents: [{}] });
    const [a, b] = [await newDomain('a.test'), await newDomain('b.test')];
    receiver.respond = () => 500;
    await lookTwice(a, 'fail', NOW + HOUR);
    await lookTwice(b, 'fail', NOW + HOUR + 1000);
    await work(NOW + HOUR + MINUTE);
    await lookTwice(a, 'ok', NOW + 2 * HOUR);
    receiver.respond = () => 204;
    await work(NOW + 2 * HOUR + MINUTE);
    await lookTwice(b, 'ok', NOW + 3 * HOUR);
    await work(NOW + 3 * HOUR + MINUTE);
    expect(told()).toEqual([
      'hook incident.opened a.test',
      'hook incident.opened b.test',
      'hook incident.closed b.test',
    ]);
    // A repeat has the ID of the first attempt.
    expect(must(receiver.received[1]).id).toBe(must(receiver.received[0]).id);
  });

  test('what can’t be delivered for a day goes to the fallback, with the reason, and its end too', async () => {
    const fallback = await addDestination('spare', {});
    await addDestination('hook', { incidents: [{}] }, fallback);
    const [a, b] = [await newDomain('a.test'), await newDomain('b.test')];
    receiver.respond = ({ path }) => (path === '/hook' ? 503 : 204);
    await lookTwice(a, 'fail', NOW + HOUR);
    await lookTwice(b, 'fail', NOW + HOUR + 1000);
    for (let hours = 1; hours < 40; hours++) await work(NOW + hours * HOUR + MINUTE);
    const spare = receiver.received.filter(({ path }) => path === '/spare');
    expect(spare.map(({ body }) => body)).toMatchObject([
      { type: 'incident.opened', data: { other_count: 1 }, instead_of: 'hook: The receiver responded with 503.' },
    ]);
    await lookTwice(a, 'ok', NOW + 50 * HOUR);
    await lookTwice(b, 'ok', NOW + 50 * HOUR + 1000);
    await work(NOW + 50 * HOUR + MINUTE + 1000);
    expect(told().slice(-2)).toEqual(['spare incident.opened a.test', 'spare incident.closed b.test']);
  });

  test('410 switches a destination off, and its fallback gets what waits', async () => {
    const fallback = await addDestination('spare', {});
    const hook = await addDestination('hook', { incidents: [{}] }, fallback);
    const [a, b] = [await newDomain('a.test'), await newDomain('b.test')];
    receiver.respond = ({ path, body }) => {
      if (path !== '/hook') return 204;
      return (body.data as { domain: { name: string } }).domain.name === 'a.test' ? 410 : 500;
    };
    await lookTwice(b, 'fail', NOW + HOUR, null);
    await work(NOW + HOUR);
    await lookTwice(a, 'fail', NOW + HOUR + 1000, null);
    await work(NOW + HOUR + 1000);
    expect(
      told()
        .filter((line) => line.startsWith('spare'))
        .toSorted(),
    ).toEqual(['spare incident.opened a.test', 'spare incident.opened b.test']);
    const { data } = await listDestinations(workspace, t.db, ALL);
    expect(data.find(({ uuid }) => uuid === hook)?.disabled_reason).toContain('410');
    // From then on it gets everything else.
    const c = await newDomain('c.test');
    await lookTwice(c, 'fail', NOW + HOUR + 2000, null);
    await work(NOW + HOUR + 2000);
    expect(must(receiver.received.at(-1))).toMatchObject({
      path: '/spare',
      body: {
        type: 'incident.opened',
        data: { domain: { name: 'c.test' } },
        instead_of: expect.stringContaining('410'),
      },
    });
    // Switched on again it isn't told of ends of what it was never told.
    await updateDestination(workspace, t.db, hook, { enabled: true }, { now, author: COMMAND });
    await lookTwice(a, 'ok', NOW + 2 * HOUR, null);
    const before = told().filter((line) => line.startsWith('hook')).length;
    await work(NOW + 2 * HOUR);
    expect(told().filter((line) => line.startsWith('hook'))).toHaveLength(before);
    expect(told().at(-1)).toBe('spare incident.closed a.test');
    const d = await newDomain('d.test');
    receiver.respond = () => 204;
    await lookTwice(d, 'fail', NOW + 3 * HOUR, null);
    await work(NOW + 3 * HOUR);
    expect(told().at(-1)).toBe('hook incident.opened d.test');
  });

  test('a destination that nothing reaches for a day is off if it has a fallback, which gets the rest at once', async () => {
    const spare = await addDestination('spare', {});
    const hook = await addDestination('hook', { incidents: [{}], heartbeat: true }, spare);
    receiver.respond = ({ path }) => (path === '/hook' ? 503 : 204);
    await lookTwice(await newDomain('a.test'), 'fail', NOW + HOUR, null);
    for (let hours = 1; hours < 30; hours++) await work(NOW + hours * HOUR);
    const { data } = await listDestinations(workspace, t.db, ALL);
    expect(data.find(({ uuid }) => uuid === hook)?.disabled_reason).toContain('for a day');
    await lookTwice(await newDomain('b.test'), 'fail', NOW + 30 * HOUR, null);
    await work(NOW + 30 * HOUR);
    expect(told().at(-1)).toBe('spare incident.opened b.test');
    receiver.received = [];
    await work(NOW + 2 * DAY);
    expect(told()).toEqual(['spare heartbeat']);
  });
});

describe('changes of contacts', () => {
  const contact = '11111111-1111-4111-8111-111111111111';
  const put = () =>
    t.db.write(workspace, (scope) =>
      putContacts(scope, [{ uuid: contact, attributes: { email: 'a@example.com' } }], NOW),
    );

  test('keep their order when an unsubscribe is repeated', async () => {
    await put();
    await addDestination('hook', { contact_changes: true });
    receiver.respond = () => 500;
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    await work();
    await subscribeContact(workspace, t.db, contact, 'asked', CALLER, now);
    receiver.respond = () => 204;
    await work();
    expect(told()).toEqual([`hook contact.unsubscribed ${contact}`]);
    await work(NOW + 10_000);
    expect(told().slice(1)).toEqual([`hook contact.unsubscribed ${contact}`, `hook contact.subscribed ${contact}`]);
  });

  test('a process whose lease ran out changes nothing any more', async () => {
    await put();
    const hook = await addDestination('hook', { contact_changes: true });
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    await planWorkspace(workspace, t.db, now);
    const { claimed } = await claimDue(workspace, t.db, hook, now);
    await work(NOW + MINUTE);
    expect(told()).toEqual([]);
    await work(NOW + 3 * MINUTE);
    receiver.respond = () => 500;
    await attempt(context, workspace, must(claimed[0]), RUNS);
    expect(await statesOf(hook)).toEqual([`delivered: Contact ${contact} unsubscribed`]);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
  });

  test('a replay that fails takes nothing back', async () => {
    const hook = await addDestination('hook', { incidents: [{}] });
    const a = await newDomain('a.test');
    await lookTwice(a, 'fail', NOW + HOUR, null);
    await work(NOW + HOUR);
    const { id } = must(receiver.received[0]);
    await replayDelivery(workspace, t.db, hook, id, { now: NOW + 2 * HOUR, author: COMMAND });
    receiver.respond = () => 400;
    await work(NOW + 2 * HOUR);
    await lookTwice(a, 'ok', NOW + 3 * HOUR, null);
    for (let hours = 3; hours <= 30; hours++) await work(NOW + hours * HOUR);
    expect(await statesOf(hook)).toContain('delivered: a.test: DMARC needs fixing');
    receiver.respond = () => 204;
    await work(NOW + 31 * HOUR);
    expect(told().at(-1)).toBe('hook incident.closed a.test');
  });

  test('what one was told before it was switched off ends for its fallback', async () => {
    const spare = await addDestination('spare', {});
    const hook = await addDestination('hook', { incidents: [{}] }, spare);
    const a = await newDomain('a.test');
    await lookTwice(a, 'fail', NOW + HOUR, null);
    await work(NOW + HOUR);
    await updateDestination(workspace, t.db, hook, { enabled: false }, { now: NOW + 2 * HOUR, author: COMMAND });
    await lookTwice(a, 'ok', NOW + 3 * HOUR, null);
    await work(NOW + 3 * HOUR);
    expect(told()).toEqual(['hook incident.opened a.test', 'spare incident.closed a.test']);
  });

  test('while one is off its fallback gets them, each once, and then it again', async () => {
    await put();
    const spare = await addDestination('spare', {});
    const hook = await addDestination('hook', { contact_changes: true }, spare);
    const switchTo = (enabled: boolean) =>
      updateDestination(workspace, t.db, hook, { enabled }, { now, author: COMMAND });
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    await planWorkspace(workspace, t.db, now);
    await switchTo(false);
    await subscribeContact(workspace, t.db, contact, 'asked', CALLER, now + 1);
    await work(NOW + 2);
    await work(NOW + 3);
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    // Before the job has come by.
    await switchTo(true);
    await work(NOW + 4);
    expect(told()).toEqual([
      `spare contact.unsubscribed ${contact}`,
      `spare contact.subscribed ${contact}`,
      `hook contact.unsubscribed ${contact}`,
    ]);
    expect(receiver.received.map(({ body }) => body.instead_of)).toEqual([
      'hook: Switched off.',
      'hook: Switched off.',
      undefined,
    ]);
  });

  test('what a receiver said is stored whatever it is', async () => {
    await put();
    const hook = await addDestination('hook', { contact_changes: true });
    const said = `450 a\0b\r\n${'x'.repeat(100_000)}\ud800`;
    const mailer = { from: 'a@ops.test', send: () => Promise.resolve({ isDelivered: false as const, detail: said }) };
    await t.db.write(workspace, (scope) => scope.update('destinations').set({ kind: 'mail' }).execute());
    context.senders = { ...context.senders, mailer };
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    await work();
    const [delivery] = must(await listDeliveries(workspace, t.db, hook, ALL)).data;
    expect(delivery).toMatchObject({
      state: 'waiting',
      error: expect.stringMatching(/^450 a\[U\+0000\]b x/) as string,
    });
    expect(must(delivery?.error).length).toBeLessThan(400);
  });

  test('a replay of one that waits changes nothing', async () => {
    await put();
    const hook = await addDestination('hook', { contact_changes: true });
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    await planWorkspace(workspace, t.db, now);
    const { claimed } = await claimDue(workspace, t.db, hook, now);
    const { message_uuid: message } = must(claimed[0]).delivery;
    expect(await replayDelivery(workspace, t.db, hook, message, { now, author: COMMAND })).toMatchObject({
      state: 'waiting',
      attempts: 1,
    });
    await work(NOW + MINUTE);
    expect(told()).toEqual([]);
  });

  test('one that is switched off gets nothing, and no past once it’s on again', async () => {
    await put();
    const hook = await addDestination('hook', { contact_changes: true });
    await updateDestination(workspace, t.db, hook, { enabled: false }, { now, author: COMMAND });
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    await work();
    await updateDestination(workspace, t.db, hook, { enabled: true }, { now, author: COMMAND });
    await work();
    expect(told()).toEqual([]);
  });

  test('a replay has the same ID', async () => {
    await put();
    const hook = await addDestination('hook', { contact_changes: true });
    await unsubscribeContact(workspace, t.db, contact, CALLER, now);
    await work();
    const { id } = must(receiver.received[0]);
    await replayDelivery(workspace, t.db, hook, id, { now, author: COMMAND });
    await work();
    expect(receiver.received.map((webhook) => webhook.id)).toEqual([id, id]);
  });
});

test('summaries come at their time, once, and a quiet week has no digest', async () => {
  const hook = await addDestination('hook', { digest: true, heartbeat: true });
  // A Saturday at 09:00: a heartbeat on Sunday, both on Monday.
  for (let hours = 0; hours <= 49; hours++) await work(NOW + hours * HOUR);
  expect(told()).toEqual(['hook heartbeat', 'hook heartbeat']);
  expect(await statesOf(hook)).toContain('dropped: Last week: 0 new faults, 0 fixed, 0 DNS changes');
});
