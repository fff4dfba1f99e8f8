import { randomInt } from 'node:crypto';
import { METHODS } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildPath } from '#contract/endpoint.ts';
import type { OperationId } from '#contract/roles.ts';
import { contactRoutes } from '../contacts/routes.ts';
import { DnsClient } from '../dns/dnsClient.ts';
import { LiveChecks } from '../domains/liveChecks.ts';
import { domainRoutes } from '../domains/routes.ts';
import { peopleRoutes } from '../people/routes.ts';
import { AccessLog } from '../sessions/accessLog.ts';
import { AccessWriteBuffer } from '../sessions/accessWriteBuffer.ts';
import { sessionListRoutes } from '../sessions/listRoutes.ts';
import { IDLE_TIMEOUT_MS } from '../sessions/sessionLimits.ts';
import { type TestRequest, startTestClient, type TestClient } from '../testing/testClient.ts';
import { findCase, successOf } from '../testing/operationCases.ts';
import { type HttpAnswer, type Operation, readContract } from '../testing/testContract.ts';
import { CONSOLE } from '../testing/testPeople.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';
import { logRoutes } from '../log/routes.ts';
import { ErasureJob } from '../person/erasureJob.ts';
import { personRoutes } from '../person/routes.ts';
import { workspaceRoutes } from '../workspaces/routes.ts';
import { createToken, revokeToken, setSuspended } from '../workspaces/store.ts';
import { newToken } from '../workspaces/token.ts';

// Calls the operations of the OpenAPI document as every kind of caller, with every method of Node. An operation without a case in
// testing/operationCases.ts fails.

/** A file is not given to HEAD. */
const A_FILE = 'exportPerson';

let service: TestService;
let operations: Operation[];
let own: Tenant;
let client: TestClient;

beforeAll(async () => {
  service = await startTestService();
  client = startTestClient(service.port, 4);
  // What ends the life of its resource comes last.
  operations = (await readContract(service)).toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));
});
beforeEach(async () => {
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(async () => {
  client[Symbol.dispose]();
  await service[Symbol.asyncDispose]();
});

/** Each call comes from its own address, because of one address only some may fail. */
function send({ headers, ...sent }: TestRequest): Promise<HttpAnswer> {
  const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;
  return client.send({ ...sent, headers: { ...headers, 'x-forwarded-for': address } });
}

const isSession = ({ path }: Operation) => path === '/session';
/** Null for the three calls of the console about its session. */
const caseOf = (operation: Operation) => (isSession(operation) ? null : findCase(operation as { id: OperationId }));
const isLast = (operation: Operation) => caseOf(operation)?.isLast === true;
const pathOf = async (operation: Operation) =>
  buildPath({ path: operation.path as `/${string}` }, (await caseOf(operation)?.params(own)) ?? {});

/** Expected statuses: of the operations, and of the three calls of the console. */
type Statuses = { operations: number; signIn: number; getSession: number; signOut: number };

/** The caller of one call: its credentials, and the token for a sign-in. */
type CallerCase = { headers: Record<string, string>; token?: string; challenge?: string };

/** Without a cookie there is no session, which is no refusal. */
const WITHOUT_COOKIE: Statuses = { operations: 401, signIn: 401, getSession: 200, signOut: 204 };
const REFUSED: Statuses = { operations: 401, signIn: 401, getSession: 401, signOut: 204 };
const FORBIDDEN: Statuses = { operations: 403, signIn: 403, getSession: 403, signOut: 403 };
const INVALID = 'Bearer error="invalid_token"';
const bearer = (token: string, challenge?: string): CallerCase => ({
  headers: { ...CONSOLE, authorization: `Bearer ${token}` },
  token,
  ...(challenge !== undefined && { challenge }),
});

async function signIn(token: string): Promise<string> {
  const { status, headers } = await send({ method: 'POST', path: '/session', headers: CONSOLE, json: { token } });
  expect(status).toBe(200);
  return headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** Makes a caller with a new token, and revokes the token. */
async function revokedAfter(callerWith: (token: string) => Promise<CallerCase>): Promise<CallerCase> {
  const { uuid, token } = await createToken(
    own.workspace,
    service.database,
    { name: own.canary, role: 'admin' },
    service.clock.now,
  );
  const caller = await callerWith(token);
  await revokeToken(own.workspace, service.database, uuid, service.clock.now);
  return caller;
}

const withCookie = async (headers: Record<string, string> = {}): Promise<CallerCase> => ({
  headers: { ...CONSOLE, cookie: await signIn(own.token), ...headers },
  token: own.token,
});

/** All kinds of callers. Each call gets a new one, because some calls end their session. */
const callers: [who: string, caller: () => Promise<CallerCase>, expected: Statuses][] = [
  ['nobody', async () => ({ headers: CONSOLE, token: '' }), WITHOUT_COOKIE],
  ['a token that nobody has', async () => bearer(newToken(), INVALID), WITHOUT_COOKIE],
  [
    'a token everywhere but in its header',
    async () => ({
      headers: {
        ...CONSOLE,
        cookie: `sendroom=${own.token}; token=${own.token}`,
        'x-api-key': own.token,
        'x-access-token': own.token,
        'proxy-authorization': `Bearer ${own.token}`,
      },
      token: '',
    }),
    REFUSED,
  ],
  ['a revoked token', () => revokedAfter(async (token) => bearer(token, INVALID)), WITHOUT_COOKIE],
  ['a session cookie', () => withCookie(), { operations: 200, signIn: 200, getSession: 200, signOut: 204 }],
  [
    'a session cookie without the header of the console',
    async () => ({ headers: { cookie: await signIn(own.token) }, token: own.token }),
    FORBIDDEN,
  ],
  ['a session cookie from a page of another site', () => withCookie({ 'sec-fetch-site': 'cross-site' }), FORBIDDEN],
  ['a session cookie from another origin', () => withCookie({ origin: 'https://attacker.test' }), FORBIDDEN],
  [
    'a session cookie with a token that is wrong',
    async () => ({ ...(await withCookie({ authorization: `Bearer ${newToken()}` })), token: '', challenge: INVALID }),
    { operations: 401, signIn: 401, getSession: 200, signOut: 204 },
  ],
  [
    'the cookie of a session whose token was revoked',
    () => revokedAfter(async (token) => ({ headers: { ...CONSOLE, cookie: await signIn(token) }, token })),
    REFUSED,
  ],
  ['a good token', async () => bearer(own.token), { operations: 200, signIn: 200, getSession: 200, signOut: 204 }],
];

/** Calls `operation` with valid input, and checks what holds for every answer. */
async function ask(operation: Operation, { headers, token = '' }: CallerCase): Promise<HttpAnswer> {
  const { method, body } = operation;
  const json = body === 'Credentials' ? { token } : caseOf(operation)?.body;
  const answer = await send({ method, path: await pathOf(operation), headers, json });
  expect(operation.findViolation(answer), operation.id).toBeNull();
  expect(answer.status === 401, operation.id).toBe(answer.headers.has('www-authenticate'));
  return answer;
}

test('what is served is what is described', () => {
  const { database } = service;
  const means = {
    database,
    now: Date.now,
    withAdditions: true,
    checks: new LiveChecks({ dnsClientFor: () => new DnsClient({ resolvers: [] }), now: Date.now, log: console }),
    accessWrites: new AccessWriteBuffer(database, console),
    accessLog: new AccessLog(database, console),
    job: new ErasureJob(database, Date.now, console),
  };
  const served = [
    contactRoutes,
    domainRoutes,
    logRoutes,
    workspaceRoutes,
    peopleRoutes,
    sessionListRoutes,
    personRoutes,
  ].flatMap((routesOf) => routesOf(means).map(({ endpoint }) => endpoint.id));
  const described = operations.filter((operation) => !isSession(operation)).map(({ id }) => id);
  expect(served.toSorted()).toEqual(described.toSorted());
});

test.each(callers)('%s', async (_, caller, expected) => {
  const before = await snapshotTenantData(own, service.database);
  const met: Record<string, number> = {};
  const wanted: Record<string, number> = {};
  for (const operation of operations) {
    const as = await caller();
    const answer = await ask(operation, as);
    met[operation.id] = answer.status;
    const { id } = operation;
    if (id === 'getSession' && answer.status === 200 && as.headers['cookie'] === undefined)
      expect(JSON.parse(answer.body), id).toMatchObject({ data: null });
    const ofOperation = expected.operations === 200 ? successOf(operation) : expected.operations;
    wanted[id] = id === 'signIn' || id === 'getSession' || id === 'signOut' ? expected[id] : ofOperation;
    if (answer.status === 401 && !isSession(operation)) {
      expect(answer.headers.get('www-authenticate'), id).toBe(as.challenge ?? 'Bearer');
    }
    if (operation.method === 'GET') {
      const head = await send({ method: 'HEAD', path: await pathOf(operation), headers: as.headers });
      expect([head.status, head.body], id).toEqual([id === A_FILE ? 405 : answer.status, '']);
    }
  }
  expect(met).toEqual(wanted);
  if (expected.operations >= 400) expect(await snapshotTenantData(own, service.database)).toBe(before);
});

/** What is refused as it stands, whatever it is sent for. */
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

test.each<[what: string, cookie: () => Promise<string>]>([
  ['nobody was given', async () => 'sendroom=x'],
  [
    'was ended',
    async () => {
      const { headers } = await withCookie();
      await send({ method: 'DELETE', path: '/session', headers });
      return headers['cookie'] ?? '';
    },
  ],
  [
    'had no request for half an hour',
    async () => {
      const cookie = await signIn(own.token);
      service.clock.now += IDLE_TIMEOUT_MS;
      return cookie;
    },
  ],
])('the cookie of a session that %s', async (_, cookie) => {
  const headers = { ...CONSOLE, cookie: await cookie() };
  for (const path of ['/v1/domains', '/session']) {
    expect((await send({ method: 'GET', path, headers })).status, path).toBe(401);
  }
});

test('the token of a suspended workspace opens nothing until the workspace is resumed, nor does a session that was open', async () => {
  const cookie = await signIn(own.token);
  const before = await snapshotTenantData(own, service.database);
  await setSuspended(own.workspace, service.database, true);
  for (const operation of operations) {
    const { status } = await ask(operation, bearer(own.token));
    const ofSessions: Record<string, number> = { getSession: 200, signOut: 204 };
    expect(status, operation.id).toBe(ofSessions[operation.id] ?? 403);
    if (!isSession(operation)) expect((await ask(operation, { headers: { ...CONSOLE, cookie } })).status).toBe(401);
  }
  await setSuspended(own.workspace, service.database, false);
  expect(await snapshotTenantData(own, service.database)).toBe(before);
  expect((await send({ method: 'GET', path: '/v1/domains', headers: bearer(own.token).headers })).status).toBe(200);
});

describe('another method', () => {
  test.each<[string, () => Promise<CallerCase>]>([
    ['nobody', async () => ({ headers: {} })],
    ['a good token', async () => bearer(own.token)],
  ])('is refused to %s in the same words, whatever comes with it', async (_, caller) => {
    const before = await snapshotTenantData(own, service.database);
    const byPath = Map.groupBy(operations, (operation) => operation.path);
    const { headers } = await caller();
    for (const [first, ...others] of byPath.values()) {
      if (first === undefined) continue;
      const path = await pathOf(first);
      const here = [first, ...others].map(({ method }) => method);
      const taken = here.includes('GET') && first.id !== A_FILE ? [...here, 'HEAD'] : here;
      for (const method of METHODS.filter((one) => !taken.includes(one) && one !== 'CONNECT')) {
        const { status, headers: said } = await send({ method, path, headers, json: { attributes: { company: 'X' } } });
        expect([status, said.get('allow')?.split(', ').toSorted()], `${method} ${path}`).toEqual([
          405,
          taken.toSorted(),
        ]);
      }
      // From here on there is no connection.
      await expect(send({ method: 'CONNECT', path, headers })).rejects.toThrow('socket hang up');
    }
    expect(await snapshotTenantData(own, service.database)).toBe(before);
  });

  test('in a header or the query is not one', async () => {
    const path = `/v1/contacts/${own.contact}?_method=DELETE`;
    const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'];
    const headers = { ...bearer(own.token).headers, ...Object.fromEntries(names.map((name) => [name, 'DELETE'])) };
    expect((await send({ method: 'GET', path, headers })).status).toBe(200);
  });
});
