import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { buildPath, type Operation } from '#contract/openapi/endpoint.ts';
import { operations as interfaceOperations } from '#contract/interface.ts';
import { findCase } from '../testing/operationCases.ts';
import { type TestRequest, startTestClient, type TestClient } from './testClient.ts';
import { CONSOLE } from '../testing/testPeople.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';
import { createToken, revokeToken } from '../workspaces/store.ts';
import { newToken } from '../workspaces/token.ts';

// Ended sessions: sessions/sessions.service.test.ts. Roles: roles.service.test.ts.

const operations = [...interfaceOperations, ...additions];

let service: TestService;
let own: Tenant;
let client: TestClient;
beforeAll(async () => {
  service = await startTestService();
  client = startTestClient(service.port, 4);
});
beforeEach(async () => {
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

/** An address may fail only so often. */
function send({ headers, ...sent }: TestRequest) {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  return client.send({ ...sent, headers: { ...headers, 'x-forwarded-for': address } });
}

const pathOf = async (operation: Operation) => buildPath(operation, await findCase(operation).params(own));

async function call(operation: Operation, headers: Record<string, string>) {
  const { method } = operation;
  return send({ method, path: await pathOf(operation), headers, json: findCase(operation).body });
}

async function signIn(token: string): Promise<string> {
  const { status, headers } = await send({ method: 'POST', path: '/session', headers: CONSOLE, json: { token } });
  expect(status).toBe(200);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

type Headers = Record<string, string>;

async function revokedToken(): Promise<Headers> {
  const { now } = service.clock;
  const { uuid, token } = await createToken(own.workspace, service.database, { name: 'old', role: 'admin' }, now);
  await revokeToken(own.workspace, service.database, uuid, now);
  return bearer(token);
}

const bearer = (token: string) => ({ ...CONSOLE, authorization: `Bearer ${token}` });
const withCookie = async (headers: Headers = {}) => ({ ...CONSOLE, cookie: await signIn(own.token), ...headers });

/** Without a cookie there is no session, which is not an error. */
type Statuses = [operation: number, getSession: number, signOut: number];
const WITHOUT_COOKIE: Statuses = [401, 200, 204];
const REFUSED: Statuses = [401, 401, 204];
const FORBIDDEN: Statuses = [403, 403, 403];
const TAKEN: Statuses = [200, 200, 204];

const INVALID = 'Bearer error="invalid_token"';

test.each<[who: string, caller: () => Promise<Headers>, expected: Statuses, challenge: string | null]>([
  ['nobody', async () => CONSOLE, WITHOUT_COOKIE, 'Bearer'],
  ['a token that nobody has', async () => bearer(newToken()), WITHOUT_COOKIE, INVALID],
  [
    'a token everywhere but in its header',
    async () => ({
      ...CONSOLE,
      cookie: `sendroom=${own.token}; token=${own.token}`,
      'x-api-key': own.token,
      'x-access-token': own.token,
      'proxy-authorization': `Bearer ${own.token}`,
    }),
    REFUSED,
    'Bearer',
  ],
  ['a revoked token', revokedToken, WITHOUT_COOKIE, INVALID],
  ['a session cookie', () => withCookie(), TAKEN, null],
  [
    'a session cookie without the header of the console',
    async () => ({ cookie: await signIn(own.token) }),
    FORBIDDEN,
    null,
  ],
  [
    'a session cookie from a page of another site',
    () => withCookie({ 'sec-fetch-site': 'cross-site' }),
    FORBIDDEN,
    null,
  ],
  ['a session cookie from another origin', () => withCookie({ origin: 'https://attacker.test' }), FORBIDDEN, null],
  ['a session cookie with a token that is wrong', () => withCookie(bearer(newToken())), [401, 200, 204], INVALID],
  [
    'the cookie of a session that nobody was given',
    async () => ({ ...CONSOLE, cookie: 'sendroom=x' }),
    REFUSED,
    'Bearer',
  ],
  ['a good token', async () => bearer(own.token), TAKEN, null],
])('%s', async (_, caller, [ofOperations, getSession, signOut], challenge) => {
  const before = await snapshotTenantData(own, service.database);
  for (const [method, path, json, expected] of [
    ['GET', '/v1/domains', undefined, ofOperations],
    ['POST', `/v1/contacts/${own.contact}`, { attributes: { company: 'Acme' } }, ofOperations],
    ['GET', '/session', undefined, getSession],
    ['DELETE', '/session', undefined, signOut],
  ] as const) {
    const { status, headers } = await send({ method, path, json, headers: await caller() });
    expect(status, `${method} ${path}`).toBe(expected);
    if (path !== '/session') expect(headers.get('www-authenticate')).toBe(challenge);
  }
  if (ofOperations !== 200) expect(await snapshotTenantData(own, service.database)).toBe(before);
});

test('every operation rejects anonymous calls, HEAD like GET', async () => {
  const before = await snapshotTenantData(own, service.database);
  for (const operation of operations) {
    const { status, headers } = await call(operation, {});
    expect([status, headers.get('www-authenticate')], operation.id).toEqual([401, 'Bearer']);
    if (operation.method !== 'GET') continue;
    const head = await send({ method: 'HEAD', path: await pathOf(operation), headers: {} });
    // Files reject HEAD.
    expect(head.status, operation.id).toBe(operation.isFile ? 405 : 401);
  }
  expect(await snapshotTenantData(own, service.database)).toBe(before);
});

test.each<[what: string, authorization: () => string]>([
  ['a token with another last digit', () => `Bearer ${own.token.replace(/.$/, (it) => (it === '0' ? '1' : '0'))}`],
  ['a token in capitals', () => `Bearer ${own.token.toUpperCase()}`],
  ['a token that is cut off', () => `Bearer ${own.token.slice(0, -1)}`],
  ['two tokens', () => `Bearer ${own.token} ${own.token}`],
  ['a token of 5,000 characters', () => `Bearer ${'x'.repeat(5000)}`],
  ['a token without its scheme', () => own.token],
  ['a token under another scheme', () => `Basic ${btoa(`x:${own.token}`)}`],
])('%s', async (_, authorization) => {
  const headers = { ...CONSOLE, authorization: authorization() };
  const { status, headers: said } = await send({ method: 'GET', path: '/v1/domains', headers });
  expect([status, said.get('www-authenticate')]).toEqual([401, INVALID]);
});

test.each<[string, () => Headers]>([
  ['nobody', () => ({})],
  ['a good token', () => bearer(own.token)],
])('another method is refused to %s in the same words, whatever comes with it', async (_, caller) => {
  const before = await snapshotTenantData(own, service.database);
  for (const all of Map.groupBy(operations, ({ path }) => path).values()) {
    const path = await pathOf(all[0] as Operation);
    const taken: string[] = all.map(({ method }) => method);
    if (all.some(({ method, isFile }) => method === 'GET' && !isFile)) taken.push('HEAD');
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'OPTIONS', 'PROPFIND']) {
      if (taken.includes(method)) continue;
      const json = { attributes: { company: 'X' } };
      const { status, headers } = await send({ method, path, headers: caller(), json });
      expect(status, `${method} ${path}`).toBe(405);
      expect(headers.get('allow')?.split(', ').toSorted()).toEqual(taken.toSorted());
    }
  }
  expect(await snapshotTenantData(own, service.database)).toBe(before);
});
