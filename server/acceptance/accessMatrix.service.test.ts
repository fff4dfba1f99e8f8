import { randomInt, randomUUID } from 'node:crypto';
import { METHODS } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contactRoutes } from '../contacts/routes.ts';
import { putContacts } from '../contacts/store.ts';
import { DnsClient } from '../dns/dnsClient.ts';
import { LiveChecks } from '../domains/liveChecks.ts';
import { domainRoutes } from '../domains/routes.ts';
import { peopleRoutes } from '../people/routes.ts';
import { AccessLog } from '../sessions/accessLog.ts';
import { AccessWriteBuffer } from '../sessions/accessWriteBuffer.ts';
import { sessionListRoutes } from '../sessions/listRoutes.ts';
import { IDLE_TIMEOUT_MS } from '../sessions/sessionLimits.ts';
import { type TestRequest, startTestClient, type TestClient } from '../testing/testClient.ts';
import { successOf } from '../testing/operationCases.ts';
import { type HttpAnswer, type Operation, readContract } from '../testing/testContract.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';
import { logRoutes } from '../log/routes.ts';
import { ErasureJob } from '../person/erasureJob.ts';
import { personRoutes } from '../person/routes.ts';
import { workspaceRoutes } from '../workspaces/routes.ts';
import { createToken, revokeToken, setSuspended } from '../workspaces/store.ts';
import { newToken } from '../workspaces/token.ts';

// Calls every operation of the OpenAPI document as every kind of caller, with every method of Node. The document is the
// source: an operation with an unknown parameter or body fails.

const CONSOLE = { 'sendroom-console': '1' };
/** A valid UUID without a resource. */
const NOBODY = '00000000-0000-4000-8000-000000000000';

const PARAMS: Record<string, (owner: Tenant) => string | Promise<string>> = {
  member: (owner) => owner.newMember(),
  token: (owner) => owner.newToken(),
  session: (owner) => owner.newSession(),
  contact: (owner) => owner.contact,
  workspace: (owner) => owner.workspace.uuid,
  domain: (owner) => owner.domain,
};
const BODIES: Record<string, (token: string) => unknown> = {
  ContactChange: () => ({ attributes: { company: 'Acme' } }),
  Resubscription: () => ({ reason: 'Asked by phone' }),
  Export: () => ({ operation: 'listDomains', format: 'ndjson' }),
  NewContact: () => ({ attributes: { email: `${randomUUID()}@example.com` } }),
  NewEvent: () => ({ event_name: 'Opened' }),
  NewEvents: () => [],
  Invitation: () => ({ email: `${randomUUID()}@example.com`, role: 'read' }),
  MemberChange: () => ({ role: 'support' }),
  NewToken: () => ({ name: 'new', role: 'read' }),
  ErasureRequest: () => ({ identity: victim }),
  LiftRequest: () => ({ identity: 'nobody.was@example.com', reason: 'A mistake' }),
  Credentials: (token) => ({ token }),
};

let service: TestService;
/** A file is not given to HEAD. */
const A_FILE = 'exportPerson';
let operations: Operation[];
let own: Tenant;
let other: Tenant;
let client: TestClient;
/** A contact of `own` without identities, which a test may erase. */
let victim: string;

beforeAll(async () => {
  service = await startTestService();
  client = startTestClient(service.port, 4);
  operations = await readContract(service);
  [own, other] = await createTwinTenants(service.database, service.clock.now);
});
beforeEach(async () => {
  victim = randomUUID();
  const { now } = service.clock;
  await service.database.write(own.workspace, (scope) => putContacts(scope, [{ uuid: victim, attributes: {} }], now));
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

async function pathOf(operation: Operation, owner: Tenant | null): Promise<string> {
  let path = operation.path;
  for (const name of operation.params) {
    const value = PARAMS[name];
    if (value === undefined)
      throw new Error(`${operation.id} has a parameter {${name}}, of which this file knows none.`);
    const given = operation.id === 'eraseContact' && owner === own ? victim : owner && (await value(owner));
    path = path.replace(`{${name}}`, encodeURIComponent(given ?? NOBODY));
  }
  return path;
}

function bodyOf(operation: Operation, token: string): unknown {
  if (operation.body === null) return undefined;
  const body = BODIES[operation.body];
  if (body === undefined)
    throw new Error(`${operation.id} has a body ${operation.body}, of which this file knows none.`);
  return body(token);
}

const isSession = ({ path }: Operation) => path === '/session';

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
    'a token with another last digit',
    async () =>
      bearer(
        own.token.replace(/.$/, (it) => (it === '0' ? '1' : '0')),
        INVALID,
      ),
    WITHOUT_COOKIE,
  ],
  ['a token in capitals', async () => bearer(own.token.toUpperCase(), INVALID), WITHOUT_COOKIE],
  ['a token that is cut off', async () => bearer(own.token.slice(0, -1), INVALID), WITHOUT_COOKIE],
  ['two tokens', async () => bearer(`${own.token} ${own.token}`, INVALID), WITHOUT_COOKIE],
  ['a token of 5,000 characters', async () => bearer('x'.repeat(5000), INVALID), WITHOUT_COOKIE],
  [
    'a token without its scheme',
    async () => ({ headers: { ...CONSOLE, authorization: own.token }, token: '', challenge: INVALID }),
    WITHOUT_COOKIE,
  ],
  [
    'a token under another scheme',
    async () => ({
      headers: { ...CONSOLE, authorization: `Basic ${btoa(`x:${own.token}`)}` },
      token: '',
      challenge: INVALID,
    }),
    WITHOUT_COOKIE,
  ],
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
  ...['cross-site', 'same-site', 'none'].map((site): (typeof callers)[number] => [
    `a session cookie from a page that is ${site}`,
    () => withCookie({ 'sec-fetch-site': site }),
    FORBIDDEN,
  ]),
  ...['https://attacker.test', 'null', 'http://127.0.0.1:1', 'http://127.0.0.1.attacker.test'].map(
    (origin): (typeof callers)[number] => [
      `a session cookie from the origin ${origin}`,
      () => withCookie({ origin }),
      FORBIDDEN,
    ],
  ),
  [
    'a session cookie that nobody was given',
    async () => ({ headers: { ...CONSOLE, cookie: 'sendroom=x' }, token: '' }),
    REFUSED,
  ],
  [
    'a session cookie with a token that is wrong',
    async () =>
      withCookie({ authorization: `Bearer ${newToken()}` }).then((it) => ({ ...it, token: '', challenge: INVALID })),
    { operations: 401, signIn: 401, getSession: 200, signOut: 204 },
  ],
  [
    'the cookie of a session that was ended',
    async () => {
      const { headers } = await withCookie();
      await send({ method: 'DELETE', path: '/session', headers });
      return { headers, token: '' };
    },
    REFUSED,
  ],
  [
    'the cookie of a session whose token was revoked',
    () => revokedAfter(async (token) => ({ headers: { ...CONSOLE, cookie: await signIn(token) }, token })),
    REFUSED,
  ],
  [
    'the cookie of a session of half an hour ago',
    async () => {
      const { headers } = await withCookie();
      service.clock.now += IDLE_TIMEOUT_MS;
      return { headers, token: '' };
    },
    REFUSED,
  ],
  ['a good token', async () => bearer(own.token), { operations: 200, signIn: 200, getSession: 200, signOut: 204 }],
];

/** Calls `operation` with valid input, and checks what holds for every answer. */
async function ask(
  operation: Operation,
  { headers, token = '' }: CallerCase,
  owner: Tenant | null = own,
): Promise<HttpAnswer> {
  const answer = await send({
    method: operation.method,
    path: await pathOf(operation, owner),
    headers,
    json: bodyOf(operation, token),
  });
  expect(operation.findViolation(answer), operation.id).toBeNull();
  expect(answer.status === 401, operation.id).toBe(answer.headers.has('www-authenticate'));
  return answer;
}

test('what is served is what is described', () => {
  const { database } = service;
  const checks = new LiveChecks({ dnsClientFor: () => new DnsClient({ resolvers: [] }), now: Date.now, log: console });
  const routes = [
    ...contactRoutes({ database, now: Date.now, withAdditions: true }),
    ...domainRoutes({ database, checks, withAdditions: true }),
    ...logRoutes({ database, now: Date.now }),
    ...workspaceRoutes({ database, now: Date.now }),
    ...peopleRoutes({ database, now: Date.now }),
    ...sessionListRoutes({
      database,
      accessWrites: new AccessWriteBuffer(database, console),
      accessLog: new AccessLog(database, console),
      now: Date.now,
    }),
    ...personRoutes({ database, now: Date.now, job: new ErasureJob(database, Date.now, console) }),
  ];
  const served = routes.map(({ endpoint }) => endpoint.id);
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
      const head = await send({ method: 'HEAD', path: await pathOf(operation, own), headers: as.headers });
      expect([head.status, head.body], id).toEqual([id === A_FILE ? 405 : answer.status, '']);
    }
  }
  expect(met).toEqual(wanted);
  if (expected.operations >= 400) expect(await snapshotTenantData(own, service.database)).toBe(before);
});

describe('the token of a suspended workspace', () => {
  test('opens nothing until the workspace is resumed, nor does a session that was open', async () => {
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
});

describe('another method', () => {
  test.each<[string, () => Promise<CallerCase>]>([
    ['nobody', async () => ({ headers: {} })],
    ['a good token', async () => bearer(own.token)],
    ['a session cookie', () => withCookie()],
  ])('is refused to %s in the same words, whatever comes with it', async (_, caller) => {
    const before = await snapshotTenantData(own, service.database);
    const byPath = Map.groupBy(operations, (operation) => operation.path);
    const { headers } = await caller();
    for (const [first, ...others] of byPath.values()) {
      if (first === undefined) continue;
      const path = await pathOf(first, own);
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

  test.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'in the header %s is not one',
    async (name) => {
      const path = `/v1/contacts/${own.contact}`;
      const headers = { ...bearer(own.token).headers, [name]: 'DELETE' };
      expect((await send({ method: 'GET', path, headers })).status).toBe(200);
      expect((await send({ method: 'GET', path: `${path}?_method=DELETE`, headers })).status).toBe(200);
    },
  );
});

describe('a good token of another workspace', () => {
  test('reaches nothing here, and hears of nothing', async () => {
    const before = await snapshotTenantData(own, service.database);
    for (const operation of operations) {
      const answer = await ask(operation, bearer(other.token));
      const isNamed = operation.params.length > 0;
      if (isNamed) expect(answer.status, operation.id).toBe(operation.params.includes('workspace') ? 403 : 404);
      for (const secret of [own.canary, own.domain, own.workspace.uuid]) {
        expect(JSON.stringify([...answer.headers]) + answer.body, operation.id).not.toContain(secret);
      }
      if (isNamed)
        expect(essenceOf(await ask(operation, bearer(other.token), null)), operation.id).toEqual(essenceOf(answer));
    }
    expect(await snapshotTenantData(own, service.database)).toBe(before);
  });

  test('signs in to its own workspace and to no other, whether that is there or not', async () => {
    const credentials = (workspace: string) =>
      send({ method: 'POST', path: '/session', headers: CONSOLE, json: { token: other.token, workspace } });
    expect((await credentials(other.workspace.uuid)).status).toBe(200);
    const refused = await credentials(own.workspace.uuid);
    expect(refused.status).toBe(403);
    expect(essenceOf(refused)).toEqual(essenceOf(await credentials(NOBODY)));
  });
});

/** The parts of an answer that a caller can compare, without those that are new in each. */
function essenceOf({ status, headers, body }: HttpAnswer): unknown {
  const { request_id: _, ...problem } = JSON.parse(body) as { request_id: string };
  return { status, problem, headers: [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)) };
}
