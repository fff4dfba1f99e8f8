import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { must } from '#contract/values/must.ts';
import { Problem } from '#contract/problem.ts';
import { signIn as signInEndpoint } from '#contract/session.ts';
import { listChanges } from '../auditLog/listChanges.ts';
import { ALL } from '../testing/testList.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import { createToken, findPrincipal, revokeToken, setSuspended, type TokenPrincipal } from '../workspaces/store.ts';
import { SIGN_IN_CODE_LIFETIME_MS, createSignInCode } from './store.ts';

// What no session may do is in acceptance/accessMatrix.service.test.ts.

const CONSOLE = { 'sendroom-console': '1' };
const MINUTE = 60_000;
const SESSIONS = 20;

let service: TestService;
let own: Tenant;
let other: Tenant;
let access: TokenPrincipal;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  [own, other] = await createTwinTenants(service.database, service.clock.now);
  access = must(await findPrincipal(service.database, own.token, service.clock.now));
});

const signIn = (json: unknown, headers: Record<string, string> = {}, at = service) =>
  at.call('/session', { method: 'POST', json, headers: { ...CONSOLE, ...headers } });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

async function cookieFor(json: unknown): Promise<string> {
  const response = await signIn(json);
  expect(response.status).toBe(200);
  return cookieOf(response);
}

const asConsole = (cookie: string, path = '/session', init: CallInit = {}) =>
  service.call(path, { ...init, headers: { ...CONSOLE, cookie } });
const statusWith = async (cookie: string, path?: string) => (await asConsole(cookie, path)).status;
const detailOf = async (response: Response) => Problem.parse(await response.json()).detail;
const newCode = (age = 0) => createSignInCode(service.database, access, service.clock.now - age);

/** What setting up a tenant has logged. */
const LINES_OF_TENANT = 9;

async function linesOf({ workspace }: Tenant, { database } = service) {
  return (await listChanges(workspace, database, ALL)).data.toReversed().slice(LINES_OF_TENANT);
}

describe('signing in', () => {
  test('a token becomes a cookie that scripts cannot read and other sites cannot use', async () => {
    const response = await signIn({ token: own.token });
    expect(signInEndpoint.result.parse(await response.json())).toEqual({
      data: {
        workspace_uuid: own.workspace.uuid,
        name: own.canary,
        identity_field: 'customer_id',
        role: 'admin',
        capabilities: additions.map(({ id }) => id),
        person: null,
        workspaces: [],
      },
    });
    const [cookie, ...others] = response.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie).toMatch(/^sendroom=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(own.token);
  });

  test('over TLS the browser is made to insist on TLS and on our host', async () => {
    await using secure = await startTestService({ settings: { PUBLIC_URL: 'https://console.example.com' } });
    const [{ token }] = await createTwinTenants(secure.database, secure.clock.now);
    const { headers } = await signIn({ token }, {}, secure);
    expect(headers.getSetCookie()[0]).toMatch(
      /^__Host-sendroom=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('the secret is new each time, and the one before ends', async () => {
    for (const token of [own.token, other.token]) {
      const first = await cookieFor({ token });
      const second = cookieOf(await signIn({ token: own.token }, { cookie: first }));
      expect(second).not.toBe(first);
      expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
    }
  });

  test.each([
    ['an unknown token', { token: `sr_${'x'.repeat(40)}` }, 401],
    ['no token at all', { token: '' }, 401],
    ['an unknown code', { code: 'x' }, 401],
    ['another workspace', { workspace: '00000000-0000-4000-8000-000000000000' }, 403],
  ])('%s is refused and sets no cookie', async (_, credentials, status) => {
    const response = await signIn('workspace' in credentials ? { token: own.token, ...credentials } : credentials);
    expect([response.status, response.headers.getSetCookie()]).toEqual([status, []]);
    expect(await detailOf(response)).toMatch(/\.$/);
  });

  test('the workspace ID may be given in any dress', async () => {
    for (const workspace of [` ${own.workspace.uuid.toUpperCase()} `, ''])
      expect((await signIn({ token: own.token, workspace })).status).toBe(200);
  });
});

describe('the one-time code of a sign-in link', () => {
  test('signs in once, within 15 minutes', async () => {
    const code = await newCode(SIGN_IN_CODE_LIFETIME_MS - 1);
    const answers = await Promise.all([1, 2, 3].map(() => signIn({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = await signIn({ code: await newCode(SIGN_IN_CODE_LIFETIME_MS) });
    expect(late.status).toBe(401);
    expect(await detailOf(late)).toMatch(/^This sign-in link has already been used or has expired\./);
  });

  test('is worth nothing when its token is revoked or its workspace suspended', async () => {
    const [first, second] = [await newCode(), await newCode()];
    await setSuspended(own.workspace, service.database, true);
    expect((await signIn({ code: first })).status).toBe(401);
    await setSuspended(own.workspace, service.database, false);
    await revokeToken(own.workspace, service.database, access.token.uuid, 1);
    expect((await signIn({ code: second })).status).toBe(401);
  });
});

describe('the end of a session', () => {
  test('signing out ends it even for a kept cookie', async () => {
    const cookie = await cookieFor({ token: own.token });
    const response = await asConsole(cookie, '/session', { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(response.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(response.headers.getSetCookie()[0]).toMatch(/^sendroom=; Max-Age=0; Path=\/;/);
    const replay = await asConsole(cookie, '/v1/workspace');
    expect(replay.status).toBe(401);
    expect(await detailOf(replay)).toBe('No session, or it has ended. Sign in again.');
  });

  test('a suspended workspace ends it for good', async () => {
    const cookie = await cookieFor({ token: own.token });
    await setSuspended(own.workspace, service.database, true);
    expect(await statusWith(cookie)).toBe(401);
    await setSuspended(own.workspace, service.database, false);
    expect(await statusWith(cookie)).toBe(401);
  });

  test('30 minutes without a request end it', async () => {
    const cookie = await cookieFor({ token: own.token });
    for (const path of ['/session', '/v1/workspace']) {
      service.clock.now += 30 * MINUTE - 1;
      expect(await statusWith(cookie, path)).toBe(200);
    }
    service.clock.now += 30 * MINUTE;
    expect(await statusWith(cookie)).toBe(401);
    service.clock.now -= 30 * MINUTE;
    expect(await statusWith(cookie)).toBe(401);
  });

  test('12 hours end it, however busy it is', async () => {
    const cookie = await cookieFor({ token: own.token });
    const end = service.clock.now + 12 * 60 * MINUTE;
    while (service.clock.now + 20 * MINUTE < end) {
      service.clock.now += 20 * MINUTE;
      expect(await statusWith(cookie)).toBe(200);
    }
    service.clock.now = end;
    expect(await statusWith(cookie)).toBe(401);
  });
});

test.each<[string, Record<string, string>]>([
  ['without the header', { 'sendroom-console': '' }],
  ['from another site', { 'sec-fetch-site': 'cross-site' }],
])('a page cannot sign a person in as somebody else %s', async (_, headers) => {
  const response = await signIn({ token: own.token }, headers);
  expect([response.status, response.headers.getSetCookie()]).toEqual([403, []]);
});

test('without additions the session tells only what the user stated, and requests know of no runs', async () => {
  await using bare = await startTestService({ settings: { ADDITIONS: 'off' } });
  const [tenant] = await createTwinTenants(bare.database, bare.clock.now);
  const { token } = tenant;
  const told = { name: null, identity_field: null, role: null, capabilities: [], person: null, workspaces: [] };
  const unstated = await signIn({ token }, {}, bare);
  expect(await unstated.json()).toEqual({ data: { ...told, workspace_uuid: null } });
  const stated = await signIn({ token, workspace: tenant.workspace.uuid }, {}, bare);
  const data = { ...told, workspace_uuid: tenant.workspace.uuid };
  expect(await stated.json()).toEqual({ data });
  const later = await bare.call('/session', { headers: { ...CONSOLE, cookie: cookieOf(stated) } });
  expect(await later.json()).toMatchObject({ data });
  expect((await signIn({ token, workspace: '00000000-0000-4000-8000-000000000000' }, {}, bare)).status).toBe(403);

  expect((await unsubscribe(bare, tenant, 'no UUID')).status).toBe(200);
  expect((await linesOf(tenant, bare)).at(-1)).toMatchObject({ action: 'unsubscribe', run: null });
});

const ask = async (headers: Record<string, string>) =>
  (await service.call('/session', { headers: { ...CONSOLE, 'x-forwarded-for': '192.0.2.2', ...headers } })).status;

describe('the limits', () => {
  test('a token has twenty sessions, also when many sign in at once: the oldest of its own go, and no session of another', async () => {
    const [before, ofOther] = [await cookieFor({ token: own.token }), await cookieFor({ token: other.token })];
    service.clock.now += 1;
    const answers = await Promise.all(Array.from({ length: 2 * SESSIONS }, () => signIn({ token: own.token })));
    const statuses = await Promise.all(answers.map((answer) => statusWith(cookieOf(answer))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(SESSIONS);
    expect([await statusWith(before), await statusWith(ofOther)]).toEqual([401, 200]);
  });

  test('sign-ins count with the writes of the token', async () => {
    await using limited = await startTestService({ settings: { RATE_LIMIT: '5' } });
    const [mine, theirs] = await createTwinTenants(limited.database, limited.clock.now);
    for (let count = 0; count < 4; count++) expect((await signIn({ token: mine.token }, {}, limited)).status).toBe(200);
    const write = { method: 'POST', token: mine.token };
    const path = `/v1/workspaces/${mine.workspace.uuid}/contacts/${mine.contact}/unsubscribe`;
    expect((await limited.call(path, write)).status).toBe(200);
    const refused = await signIn({ token: mine.token }, {}, limited);
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([429, []]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.call(path, write)).status).toBe(429);
    expect((await limited.call('/v1/domains', { token: mine.token })).status).toBe(200);
    expect((await signIn({ token: theirs.token }, {}, limited)).status).toBe(200);
  });

  test('a sign-in has a body of 8 KiB at most, and one that fails at its body counts as a failed authentication', async () => {
    const send = (body: string, type = 'application/json') => {
      const headers = { ...CONSOLE, 'content-type': type, 'x-forwarded-for': '192.0.2.1' };
      return service.call('/session', { method: 'POST', body, headers });
    };
    const right = JSON.stringify({ token: own.token });
    expect((await send(right.padEnd(8 * 1024))).status).toBe(200);
    expect(await detailOf(await send(right.padEnd(8 * 1024 + 1)))).toBe('The body is larger than 8 KiB.');
    for (let count = 1; count < 60; count++) {
      const [body, type, status] = must(
        [['{', undefined, 400] as const, ['{}', undefined, 422] as const, ['{}', 'text/plain', 415] as const][
          count % 3
        ],
      );
      expect((await send(body, type)).status).toBe(status);
    }
    const refused = await send('{');
    expect(refused.status).toBe(429);
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    expect((await service.call('/v1/domains', { token: 'wrong', headers })).status).toBe(429);
    expect((await send(right)).status).toBe(200);
  });

  test('a session cookie that opens nothing counts as a failed authentication, and none at all does not', async () => {
    const cookie = await cookieFor({ token: own.token });
    for (let count = 0; count < 70; count++) expect(await ask({})).toBe(200);
    for (let count = 0; count < 60; count++) expect(await ask({ cookie: `sendroom=invented${count}` })).toBe(401);
    expect([await ask({ cookie: 'sendroom=invented' }), await ask({ cookie }), await ask({})]).toEqual([429, 200, 200]);
  });
});

const RUN = '0000000A-0000-4000-8000-00000000000b';
const unsubscribe = (at: TestService, { workspace, contact, token }: Tenant, run: string) =>
  at.call(`/v1/workspaces/${workspace.uuid}/contacts/${contact}/unsubscribe`, {
    method: 'POST',
    token,
    headers: { 'sendroom-run': run },
  });

describe('the log has', () => {
  test('a sign-in and a sign-out, with who and in which request', async () => {
    const signedIn = await signIn({ token: own.token });
    const signedOut = await asConsole(cookieOf(signedIn), '/session', { method: 'DELETE' });
    await asConsole(cookieOf(signedIn), '/session', { method: 'DELETE' });
    await expect.poll(() => linesOf(own)).toHaveLength(2);
    const actor = { kind: 'token', name: own.canary };
    expect(await linesOf(own)).toMatchObject([
      { action: 'sign_in', actor, request_id: signedIn.headers.get('x-request-id'), contact: null, details: null },
      { action: 'sign_out', actor, request_id: signedOut.headers.get('x-request-id') },
    ]);
  });

  test('a known token or link that is refused, and why; nobody knows where an unknown one belongs', async () => {
    const { database, clock } = service;
    const token = (name: string, more: object = {}) =>
      createToken(own.workspace, database, { name, role: 'read', ...more }, clock.now);
    const revoked = await token('revoked');
    await revokeToken(own.workspace, database, revoked.uuid, clock.now);
    const expired = await token('expired', { expires_at: clock.now - 1 });
    const writing = await token('writing', { role: 'ingest' });
    const used = await newCode();
    await cookieFor({ code: used });
    const given: [credentials: object, status: number][] = [
      [{ token: revoked.token }, 401],
      [{ token: expired.token }, 401],
      [{ token: writing.token }, 403],
      [{ token: own.token, workspace: other.workspace.uuid }, 403],
      [{ code: used }, 401],
      [{ code: await newCode(SIGN_IN_CODE_LIFETIME_MS + 1) }, 401],
      [{ token: `${own.token}0` }, 401],
      [{ code: 'unknown' }, 401],
    ];
    for (const [credentials, status] of given) expect((await signIn(credentials)).status).toBe(status);
    await setSuspended(own.workspace, database, true);
    const suspended = await signIn({ token: own.token });
    expect([suspended.status, await detailOf(suspended)]).toEqual([403, 'The workspace of this token is suspended.']);
    const refusals = async () =>
      (await linesOf(own)).flatMap(({ action, actor, details }) =>
        action === 'sign_in_refused' ? [[actor.name, details?.['reason']]] : [],
      );
    await expect.poll(refusals).toEqual([
      ['revoked', 'token revoked'],
      ['expired', 'token expired'],
      ['writing', 'role reads nothing'],
      [own.canary, 'another workspace'],
      [own.canary, 'link used or expired'],
      [own.canary, 'link used or expired'],
      [own.canary, 'workspace suspended'],
    ]);
  });

  test('of which run a request says that it is part, and the lines of a run are found by it', async () => {
    expect((await unsubscribe(service, own, 'no UUID')).status).toBe(400);
    expect((await unsubscribe(service, own, RUN)).status).toBe(200);
    expect(await linesOf(own)).toMatchObject([{ action: 'unsubscribe', run: RUN.toLowerCase() }]);
    const found = await service.call(`/v1/changes?search=${RUN}`, { token: own.token });
    expect(await found.json()).toMatchObject({ data: [{ action: 'unsubscribe' }], meta: { total: 1 } });
  });
});
