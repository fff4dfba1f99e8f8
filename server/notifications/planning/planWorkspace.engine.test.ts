import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '../../app.ts';
import { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { readConfig } from '../../settings/config.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { importDomain } from '../../testing/testDomains.ts';
import { recordLine } from '../../testing/testLooks.ts';
import { putVerdicts } from '../../domains/putVerdicts.ts';
import { planWorkspace } from './planWorkspace.ts';

const TEN_MINUTES = 600_000;

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

async function addMail(uuid: string, rules: string): Promise<void> {
  const row = { uuid, kind: 'mail', name: uuid, address: `${uuid}@x.test`, secrets: '[]', rules } as const;
  const none = { disabled_at: null, disabled_reason: null, fallback_uuid: null, summary_at: null };
  await t.db.write(t.workspace, (scope) =>
    scope.insert('destinations', { ...row, ...none, log_number: 0, created_at: 0, updated_at: 0 }).execute(),
  );
}

/** A record that begins to fail. */
async function breakDomain(name: string): Promise<void> {
  const record = { type: 'TXT', name, value: 'v', is_valid: true };
  const uuid = await importDomain(t.workspace, t.db, { name, dns: [record] }, NOW);
  for (const after of [0, TEN_MINUTES]) {
    const line = recordLine(record, { result: 'fail', code: 'TEXT_MISSING' });
    await putVerdicts(t.workspace, t.db, uuid, [line], NOW + after, TEN_MINUTES);
  }
}

const readMessages = () => t.db.read(t.workspace, (scope) => scope.select('messages').selectAll().execute());

const waiting = async () => (await readMessages()).filter(({ planned_at }) => planned_at === null).length;

test('a damaged message and a damaged destination keep no other from being told', async () => {
  await addMail('damaged', '{');
  const incidents = [{}];
  await addMail('right', JSON.stringify({ incidents, contact_changes: false, digest: false, heartbeat: false }));
  await breakDomain('a.test');
  await t.db.write(t.workspace, (scope) => scope.update('messages').set({ body: '{' }).execute());
  await breakDomain('b.test');
  await planWorkspace(t.workspace, t.db, NOW + 2 * TEN_MINUTES);
  const deliveries = await t.db.read(t.workspace, (scope) => scope.select('deliveries').selectAll().execute());
  const messages = await readMessages();
  const told = messages.filter(({ body }) => body !== '{').map(({ uuid }) => uuid);
  expect(told).toHaveLength(1);
  expect(deliveries.map((one) => [one.destination_uuid, one.message_uuid])).toEqual([['right', told[0]]]);
  expect(messages.filter(({ planned_at }) => planned_at === null)).toEqual([]);
});

test('NOTIFICATIONS=off lets a copy of the data send nothing', async () => {
  const row = { kind: 'incident_opened', about: 'x', created_at: Date.now(), body: '{' } as const;
  const none = { incident_uuid: null, contact_uuid: null, log_number: null, planned_at: null };
  await t.db.write(t.workspace, (scope) => scope.insert('messages', { ...row, ...none, uuid: randomUUID() }).execute());
  const listen = async (settings: Record<string, string>) => {
    const config = readConfig({ DNS_RECHECK: 'off', DEMO: 'off', ...settings });
    const app = await buildApp({
      database: t.db,
      config,
      consoleDir: null,
      logStream: { write: () => {} },
      dnsClientFor: () => new DnsClient({ resolvers: [{ address: '192.0.2.1', port: 53 }] }),
    });
    await app.listen({ host: '127.0.0.1', port: 0 });
    return app;
  };
  const copy = await listen({ NOTIFICATIONS: 'off' });
  await delay(500);
  await copy.close();
  expect(await waiting()).toBe(1);
  const sending = await listen({});
  await expect.poll(waiting, { timeout: 10_000 }).toBe(0);
  await sending.close();
});
