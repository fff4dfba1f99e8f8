import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import type { Workspace } from '../database/workspace.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { createMigratedStorage, NOW, type TestStorage } from '../testing/testDatabase.ts';
import { parseSeries } from '../testing/testMetrics.ts';
import { startTestProxy } from '../testing/processes/testProxy.ts';
import { callAt, startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace, revokeToken } from '../workspaces/store.ts';

// Services on one PostgreSQL with their own connections and memory, like processes.

let place: TestStorage;
let database: Database;
let workspace: Workspace;
let services: [TestService, TestService, TestService];
beforeAll(async () => {
  place = await createMigratedStorage();
  database = await openDatabase(place.url);
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, NOW);
  const start = () => startTestService({ place: keep(place) });
  services = await Promise.all([start(), start(), start()]);
});
afterAll(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
  await database.close();
  await place[Symbol.asyncDispose]();
});

const keep = (storage: TestStorage): TestStorage => ({ ...storage, [Symbol.asyncDispose]: async () => {} });

type RequestOptions = { token?: string; cookie?: string; method?: string; json?: unknown; address?: string };

function call(
  service: TestService,
  path: string,
  { cookie, address, json, ...init }: RequestOptions,
): Promise<Response> {
  const headers = {
    ...(cookie !== undefined && { cookie }),
    ...(address !== undefined && { 'x-forwarded-for': address }),
    'sendroom-console': '1',
  };
  return callAt(service.url, path, { ...(json !== undefined && { method: 'POST' }), ...init, json, headers });
}

const newToken = () => createToken(workspace, database, { name: 'support', role: 'admin' }, NOW);

test('concurrent changes are all kept, with exact counters and log', async () => {
  const CONTACTS = 4;
  const ROUNDS = 12;
  const EVENTS = 700;
  const { token } = await newToken();
  const emails = Array.from({ length: CONTACTS }, (_, index) => `c${index}@example.com`);
  await database.write(workspace, (scope) =>
    putContacts(
      scope,
      emails.map((email) => ({ attributes: { email } })),
      NOW,
    ),
  );
  // More events than are counted without periods.
  const imports = ['a', 'b'].map(async (name) => {
    const events = Array.from({ length: EVENTS }, (_, index) => ({
      contact: 'c0@example.com',
      event_name: `${name}${index % 3}`,
      attributes: {},
      created_at: index * 1000,
    }));
    const other = await openDatabase(place.url);
    const outcomes = await other.write(workspace, (scope) => putEvents(scope, events, NOW));
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(EVENTS);
    await other.close();
  });
  const at = `/v1/workspaces/${workspace.uuid}/contacts`;
  const changes = services.flatMap((service, index) =>
    emails.map(async (email) => {
      for (let round = 0; round < ROUNDS; round++) {
        const answers = [
          await call(service, `/v1/contacts/${email}`, { token, json: { attributes: { [`k${index}`]: round } } }),
          await call(service, `${at}/${email}/unsubscribe`, { token, json: {} }),
          await call(service, `${at}/${email}/subscribe`, { token, json: { reason: `Round ${round}` } }),
        ];
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      }
    }),
  );
  await Promise.all([...imports, ...changes]);

  for (const email of emails) {
    const answer = await call(services[0], `/v1/contacts/${email}`, { token });
    expect(await answer.json()).toMatchObject({ data: { attributes: { k0: 11, k1: 11, k2: 11 } } });
  }
  const events = await call(services[1], `/v1/contacts/${emails[0]}/events`, { token });
  expect(await events.json()).toMatchObject({ meta: { total: 2 * EVENTS } });
  expect(await verifyWorkspace(workspace, database)).toEqual([]);
});

test('sessions are shared, and a sign-out or revoked token ends them everywhere at once', async () => {
  const { token, uuid } = await newToken();
  const signIn = async () => {
    const response = await call(services[0], '/session', { json: { token } });
    return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };
  const statuses = (cookie: string) =>
    Promise.all(services.map(async (service) => (await call(service, '/v1/workspace', { cookie })).status));

  const cookie = await signIn();
  expect(await statuses(cookie)).toEqual([200, 200, 200]);
  // Also during an import.
  const imported = Promise.withResolvers<void>();
  const importing = database.write(workspace, () => imported.promise, { isBulk: true });
  expect((await call(services[1], '/session', { cookie, method: 'DELETE' })).status).toBe(204);
  expect(await statuses(cookie)).toEqual([401, 401, 401]);
  imported.resolve();
  await importing;

  const other = await signIn();
  expect(await statuses(other)).toEqual([200, 200, 200]);
  await revokeToken(workspace, database, uuid, NOW);
  expect(await statuses(other)).toEqual([401, 401, 401]);
  expect((await call(services[2], '/v1/workspace', { token })).status).toBe(401);
});

const failToSignIn = (service: TestService) =>
  call(service, '/session', { json: { token: 'wrong' }, address: '192.0.2.7' });

test('two processes share the limits of a token and of failed sign-ins', async () => {
  const settings = { RATE_LIMIT: '40' };
  await using one = await startTestService({ place: keep(place), settings });
  await using other = await startTestService({ place: keep(place), settings });
  const { token } = await newToken();
  const list = (service: TestService) => call(service, '/v1/domains', { token });
  // One after another, so that no lease is late.
  for (const [send, limit] of [[list, 40] as const, [failToSignIn, 60] as const]) {
    let taken = 0;
    for (let round = 0; round < limit / 2 + 5; round++) {
      for (const service of [one, other]) if ((await send(service)).status !== 429) taken++;
    }
    expect(taken).toBe(limit);
    for (const service of [one, other]) {
      const { status, headers } = await send(service);
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  }
  expect([...one.log, ...other.log].join('')).not.toContain('counted by this process alone');
});

test('while the server is gone requests get a 503, and then work again', async () => {
  await using door = await startTestProxy(place.url);
  const metrics = createMetrics('1.2.3');
  await using service = await startTestService({ place: keep({ ...place, url: door.url }), metrics });
  const ready = async () => parseSeries(await metrics.metrics()).get('sendroom_ready');
  const { token } = await newToken();
  const get = () => call(service, '/v1/contacts', { token });
  expect((await get()).status).toBe(200);

  await door.disconnect();
  const refused = await get();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(await refused.json()).toMatchObject({
    detail: 'The database does not answer. Nothing was changed; try again.',
  });
  expect((await service.call('/readyz')).status).toBe(503);
  expect((await service.call('/healthz')).status).toBe(200);
  expect(await ready()).toBe(0);

  await door.reconnect();
  expect((await get()).status).toBe(200);
  expect((await service.call('/readyz')).status).toBe(200);
});
