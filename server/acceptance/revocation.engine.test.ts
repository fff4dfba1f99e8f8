import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { createTestStorage } from '../testing/testDatabase.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { createToken, revokeToken, setSuspended } from '../workspaces/store.ts';

// Access is revoked beside the running service, as by `npm run admin`. Every request after that is refused, however
// many are in progress.

const CONSOLE = { 'sendroom-console': '1' };
const AT_ONCE = 8;

let service: TestService;
/** The database as another process has it open. */
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

/**
 * Calls repeatedly until `takeAway` has ended and a while longer. Returns the statuses of calls that were answered
 * before it began, and sent after it ended.
 */
async function statusesAround(
  init: CallInit,
  takeAway: () => Promise<unknown>,
): Promise<{ before: number[]; after: number[] }> {
  const seen = { before: [] as number[], after: [] as number[] };
  let phase: 'before' | 'meanwhile' | 'after' = 'before';
  const ask = async () => {
    while (seen.after.length < 2 * AT_ONCE) {
      const asked = phase;
      const { status } = await service.call('/v1/domains', init);
      // Calls in progress at its start may have either result.
      if (asked !== 'meanwhile' && asked === phase) seen[asked].push(status);
    }
  };
  const asking = Array.from({ length: AT_ONCE }, ask);
  await expect.poll(() => seen.before.length).toBeGreaterThan(AT_ONCE);
  phase = 'meanwhile';
  await takeAway();
  phase = 'after';
  await Promise.all(asking);
  return seen;
}

const newToken = () =>
  createToken(tenant.workspace, service.database, { name: 'test', role: 'admin' }, service.clock.now);

async function expectRefused(init: CallInit, takeAway: () => Promise<unknown>, status: number): Promise<void> {
  const { before, after } = await statusesAround(init, takeAway);
  expect([new Set(before), new Set(after)]).toEqual([new Set([200]), new Set([status])]);
}

test('a revoked token', async () => {
  const { uuid, token } = await newToken();
  await expectRefused({ token }, () => revokeToken(tenant.workspace, elsewhere, uuid, service.clock.now), 401);
});

test('a session of a revoked token', async () => {
  const { uuid, token } = await newToken();
  const signedIn = await service.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const headers = { ...CONSOLE, cookie };
  await expectRefused({ headers }, () => revokeToken(tenant.workspace, elsewhere, uuid, service.clock.now), 401);
});

/** Sends the first bytes of a request, and gives what sends the others and reads the status. */
async function begin(token: string, json: unknown): Promise<() => Promise<number>> {
  const body = JSON.stringify(json);
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `POST /v1/tokens HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n` +
      `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body.slice(0, 3)}`,
  );
  return async () => {
    const answer = text(socket);
    socket.write(body.slice(3));
    return Number(/^HTTP\/1\.1 (\d+)/.exec(await answer)?.[1]);
  };
}

describe('a request whose body comes only after that', () => {
  const left = { name: 'left behind', role: 'admin' };

  test.each([
    ['nothing happened', 200, null],
    ['the token was revoked', 401, (uuid: string) => revokeToken(tenant.workspace, elsewhere, uuid, service.clock.now)],
  ])('%s: %i', async (_, expected, takeAway) => {
    const { uuid, token } = await newToken();
    const end = await begin(token, left);
    await delay(200);
    await takeAway?.(uuid);
    expect(await end()).toBe(expected);
  });
});

test('a token of a suspended workspace', async () => {
  const { token } = await newToken();
  await expectRefused({ token }, () => setSuspended(tenant.workspace, elsewhere, true), 403);
});
