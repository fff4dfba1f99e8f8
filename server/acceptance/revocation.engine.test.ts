import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { createTestStorage } from '../testing/testDatabase.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { createToken, revokeToken, setSuspended } from '../workspaces/store.ts';

// Revoked by another process, as by `npm run admin`.

const CONSOLE = { 'sendroom-console': '1' };
const AT_ONCE = 8;

let service: TestService;
let elsewhere: Database;
let tenant: Tenant;
beforeAll(async () => {
  const place = await createTestStorage();
  service = await startTestService({ place });
  elsewhere = await openDatabase(place.url);
  [tenant] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(async () => {
  await elsewhere.close();
  await service[Symbol.asyncDispose]();
});

const newToken = () =>
  createToken(tenant.workspace, service.database, { name: 'test', role: 'admin' }, service.clock.now);
const revoke = (uuid: string) => revokeToken(tenant.workspace, elsewhere, uuid, service.clock.now);

afterEach(() => void vi.restoreAllMocks());

/** Calls in progress meanwhile may have either result. */
async function expectRefused(init: CallInit, takeAway: () => Promise<unknown>, status: number): Promise<void> {
  const ask = async () => (await service.call('/v1/domains', init)).status;
  const askAll = async () => new Set(await Promise.all(Array.from({ length: AT_ONCE }, ask)));
  expect(await askAll()).toEqual(new Set([200]));
  const meanwhile = askAll();
  await takeAway();
  expect(await askAll()).toEqual(new Set([status]));
  await meanwhile;
}

test('a revoked token', async () => {
  const { uuid, token } = await newToken();
  await expectRefused({ token }, () => revoke(uuid), 401);
});

test('a session of a revoked token', async () => {
  const { uuid, token } = await newToken();
  const signedIn = await service.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  await expectRefused({ headers: { ...CONSOLE, cookie } }, () => revoke(uuid), 401);
});

test.each([
  ['nothing happened', 200, null],
  ['the token was revoked', 401, revoke],
])('a request whose body comes only after that: %s, %i', async (_, expected, takeAway) => {
  const { uuid, token } = await newToken();
  const body = '{"name":"left behind","role":"admin"}';
  const socket = connect(service.port, '127.0.0.1');
  socket.write(
    `POST /v1/tokens HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n${body.slice(0, 3)}`,
  );
  await once(socket, 'data');
  // A later response shows that it was accepted. Its authentication is reused for a tenth of a second.
  expect((await service.call('/v1/domains', { token })).status).toBe(200);
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 200);
  await takeAway?.(uuid);
  socket.write(body.slice(3));
  expect(await text(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${expected} `));
});

test('requests that are queued when the token is revoked', async () => {
  const { uuid, token } = await newToken();
  const invite = () =>
    service.call('/v1/tokens', { method: 'POST', token, json: { name: 'left behind', role: 'admin' } });
  // A token has 16 running requests; more wait.
  const asked: Promise<Response>[] = [];
  // A bulk write holds the lock before its first statement.
  await elsewhere.write(
    tenant.workspace,
    async (scope) => {
      asked.push(...Array.from({ length: 20 }, invite));
      await delay(500);
      await scope.update('tokens').set({ revoked_at: service.clock.now }).where('uuid', '=', uuid).execute();
    },
    { isBulk: true },
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(4);
});

test('a token of a suspended workspace', async () => {
  const { token } = await newToken();
  await expectRefused({ token }, () => setSuspended(tenant.workspace, elsewhere, true), 403);
});
