import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { must } from '#contract/values/must.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { killServices, startService } from '../testing/processes/testMain.ts';
import { createTestStorage, ENGINE } from '../testing/testDatabase.ts';
import { startTestReceiver } from '../testing/testReceiver.ts';
import { callAt } from '../testing/testService.ts';
import { createWriters } from '../testing/testWriters.ts';
import { createDestination } from './destinations.ts';

const PROCESSES = ENGINE === 'sqlite' ? 1 : 3;
const CONTACTS = 80;
const KILLS = 4;
/** A lease of two minutes, and what is queued behind it. */
const WITHIN = 240_000;
vi.setConfig({ testTimeout: WITHIN + 120_000 });
afterEach(killServices);

test('kills lose no message, and none comes under a second ID', async () => {
  await using place = await createTestStorage({ isDurable: true });
  await using receiver = await startTestReceiver();
  const { writers, workspace } = await createWriters(place.url, CONTACTS);
  const database = await openDatabase(place.url);
  const rules = { incidents: [], contact_changes: true, digest: false, heartbeat: false };
  const given = { kind: 'webhook' as const, name: 'adapter', address: receiver.url, rules };
  const senders = { mailer: null, isAllowed: () => true, consoleUrl: null };
  await createDestination(workspace, database, given, senders, { now: Date.now(), author: COMMAND });
  await database.close();
  const start = () => startService(place.url, { WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1' });
  const services = Array.from({ length: PROCESSES }, start);
  receiver.respond = async () => {
    await delay(1000);
    return 204;
  };

  const [first] = (await Promise.all(services)) as [Awaited<ReturnType<typeof start>>];
  for (let index = 0; index < CONTACTS; index++) {
    const path = `/v1/workspaces/${workspace.uuid}/contacts/c${index}@example.com/unsubscribe`;
    const response = await callAt(first.address, path, { method: 'POST', token: writers.token });
    expect(response.status).toBe(200);
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const before = receiver.received.length;
    // In the middle of attempts.
    await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(before), { timeout: 60_000, interval: 5 });
    const victim = kill % PROCESSES;
    await (await must(services[victim])).kill();
    // The others go on meanwhile.
    services[victim] = start();
  }

  await Promise.all(services);
  const check = await openDatabase(place.url);
  const states = () =>
    check.read(workspace, (scope) => scope.select('deliveries').select(['message_uuid', 'state']).execute());
  await vi.waitFor(
    async () => {
      const rows = await states();
      expect(rows).toHaveLength(CONTACTS);
      expect(rows.filter(({ state }) => state !== 'delivered')).toEqual([]);
    },
    { timeout: WITHIN, interval: 1000 },
  );
  const idsOf = Map.groupBy(receiver.received, ({ body }) => String(body.data.contact));
  expect(idsOf.size).toBe(CONTACTS);
  for (const webhooks of idsOf.values()) expect(new Set(webhooks.map(({ id }) => id)).size).toBe(1);
  // One receipt for each, however often it was sent.
  const receipts = await check.read(workspace, (scope) =>
    scope.select('changes').select('contact_uuid').where('action', '=', 'message_delivered').execute(),
  );
  expect(receipts).toHaveLength(CONTACTS);
  expect(new Set(receipts.map(({ contact_uuid }) => contact_uuid)).size).toBe(CONTACTS);
  expect(await verifyWorkspace(workspace, check)).toEqual([]);
  await check.close();
});
