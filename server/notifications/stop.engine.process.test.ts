import { afterEach, expect, test, vi } from 'vitest';
import { must } from '#contract/values/must.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { killServices, startMain } from '../testing/processes/testMain.ts';
import { createTestStorage } from '../testing/testDatabase.ts';
import { startTestReceiver } from '../testing/testReceiver.ts';
import { callAt } from '../testing/testService.ts';
import { createWriters } from '../testing/testWriters.ts';
import { createDestination } from './destinations.ts';

afterEach(killServices);

test('a stop doesn’t wait for a slow receiver, and the next process delivers what that one has not answered', async () => {
  await using place = await createTestStorage({ isDurable: true });
  await using receiver = await startTestReceiver();
  receiver.respond = () => new Promise(() => {});
  const { writers, workspace } = await createWriters(place.url, 1);
  const database = await openDatabase(place.url);
  const rules = { incidents: [], contact_changes: true, digest: false, heartbeat: false };
  const given = { kind: 'webhook' as const, name: 'adapter', address: receiver.url, rules };
  const senders = { mailer: null, isAllowed: () => true, consoleUrl: null };
  const by = { now: Date.now(), author: COMMAND };
  const { uuid } = (await createDestination(workspace, database, given, senders, by)).destination;
  const env = { DATABASE_URL: place.url, DEMO: 'off', RATE_LIMIT: '0', DNS_RECHECK: 'off' };
  const start = () => startMain({ ...env, WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1' });

  const service = start();
  const { token } = writers;
  const address = await service.address;
  const path = `/v1/workspaces/${workspace.uuid}/contacts/c0@example.com/unsubscribe`;
  expect((await callAt(address, path, { method: 'POST', token })).status).toBe(200);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(1), { timeout: 30_000 });
  // Somebody waits for a test too.
  const test = callAt(address, `/v1/destinations/${uuid}/test`, { method: 'POST', token });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
  const begin = performance.now();
  const code = await service.stop();
  expect(code, service.stderr()).toBe(0);
  expect(performance.now() - begin).toBeLessThan(10_000);
  expect(await (await test).json()).toMatchObject({ data: { delivered: false } });

  receiver.respond = () => 204;
  await start().address;
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3), { timeout: 30_000 });
  const ids = receiver.received.map(({ id }) => id);
  expect(ids[2]).toBe(ids[0]);
  const states = () =>
    database.read(workspace, (scope) =>
      scope.select('deliveries').select('state').where('message_uuid', '=', must(ids[0])).execute(),
    );
  await vi.waitFor(async () => expect(await states()).toEqual([{ state: 'delivered' }]), { timeout: 10_000 });
  await database.close();
});
