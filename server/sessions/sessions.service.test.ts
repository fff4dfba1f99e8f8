import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { additions } from '#contract/allAdditions.ts';
import { Problem } from '#contract/problem.ts';
import { signIn as signInEndpoint } from '#contract/session.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import type { Workspace } from '../database/workspace.ts';
import {
  createToken,
  createWorkspace,
  findPrincipal,
  revokeToken,
  setSuspended,
  type TokenPrincipal,
} from '../workspaces/store.ts';
import { IDLE_TIMEOUT_MS, SESSION_LIFETIME_MS } from './sessionLimits.ts';
import { SIGN_IN_CODE_LIFETIME_MS, createSignInCode } from './store.ts';

const CONSOLE = { 'sendroom-console': '1' };
const MINUTE = 60_000;

let service: TestService;
let workspace: Workspace;
let token: string;
let access: TokenPrincipal;

beforeAll(async () => {
  service = await startTestService();
  workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: 'customer_id' }, 0);
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  ({ token } = await createToken(workspace, service.database, { name: 'test', role: 'admin' }, 0));
  access = (await findPrincipal(service.database, token, 0))!;
});

function signIn(json: unknown, headers: Record<string, string> = CONSOLE): Promise<Response> {
  return service.call('/session', { method: 'POST', json, headers });
}

/** Signs in and returns the headers that the browser would send from then on. */
async function cookieFor(json: unknown): Promise<string> {
  const response = await signIn(json);
  expect(response.status).toBe(200);
  return cookieOf(response);
}

function cookieOf(response: Response): string {
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

function asConsole(cookie: string, path: string, { headers, ...init }: CallInit = {}): Promise<Response> {
  return service.call(path, { ...init, headers: { ...CONSOLE, cookie, ...headers } });
}

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  return Problem.parse(await response.json());
}

describe('signing in', () => {
  test('a token becomes a cookie that scripts cannot read and other sites cannot use', async () => {
    const response = await signIn({ token });
    expect(signInEndpoint.result.parse(await response.json())).toEqual({
      data: {
        workspace_uuid: workspace.uuid,
        name: 'Acme',
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
    expect(cookie).not.toContain(token);
  });

  test('over TLS the browser is made to insist on TLS and on our host', async () => {
    await using secure = await startTestService({ settings: { PUBLIC_URL: 'https://console.example.com' } });
    const own = await createWorkspace(secure.database, { name: 'Own', identity_field: null }, 0);
    const { token } = await createToken(own, secure.database, { name: 'test', role: 'admin' }, 0);
    const response = await secure.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-sendroom=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000');
  });

  test('the session opens what the token opens, and nothing else', async () => {
    const cookie = await cookieFor({ token });
    expect((await asConsole(cookie, '/session')).status).toBe(200);
    const response = await asConsole(cookie, '/v1/workspace');
    expect(await response.json()).toMatchObject({ data: { uuid: workspace.uuid } });
  });

  test('the secret is new each time, and the one before ends', async () => {
    const first = await cookieFor({ token });
    const response = await signIn({ token }, { ...CONSOLE, cookie: first });
    expect(cookieOf(response)).not.toBe(first);
    expect((await asConsole(first, '/session')).status).toBe(401);
    expect((await asConsole(cookieOf(response), '/session')).status).toBe(200);
  });

  test('neither the cookie nor the code is in the database', async () => {
    const code = await createSignInCode(service.database, access, service.clock.now);
    const cookie = await cookieFor({ token });
    const rows = JSON.stringify([
      await service.database.unscoped.kysely.selectFrom('sessions').selectAll().execute(),
      await service.database.unscoped.kysely.selectFrom('sign_in_codes').selectAll().execute(),
    ]);
    expect(rows).toContain(workspace.id.toString());
    for (const secret of [cookie.split('=')[1] ?? '', code, token]) expect(rows).not.toContain(secret);
  });

  test.each([
    ['an unknown token', { token: `sr_${'x'.repeat(40)}` }, 401],
    ['no token at all', { token: '' }, 401],
    ['an unknown code', { code: 'x' }, 401],
    ['a workspace whose length is no number', { workspace: { length: { toString: 1 } } }, 422],
    ['another workspace', { workspace: '00000000-0000-4000-8000-000000000000' }, 403],
  ])('%s is refused and sets no cookie', async (_, credentials, status) => {
    const response = await signIn('workspace' in credentials ? { token, ...credentials } : credentials);
    expect(response.status).toBe(status);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect((await problemOf(response)).detail).toMatch(/\.$/);
  });

  test('a suspended workspace is told apart from a wrong token', async () => {
    await setSuspended(workspace, service.database, true);
    const response = await signIn({ token });
    await setSuspended(workspace, service.database, false);
    expect(response.status).toBe(403);
    expect((await problemOf(response)).detail).toBe('The workspace of this token is suspended.');
  });

  test('the workspace ID may be given in any dress', async () => {
    expect((await signIn({ token, workspace: ` ${workspace.uuid.toUpperCase()} ` })).status).toBe(200);
    expect((await signIn({ token, workspace: '' })).status).toBe(200);
  });
});

describe('the one-time code of a sign-in link', () => {
  test('signs in once', async () => {
    const code = await createSignInCode(service.database, access, service.clock.now);
    expect((await asConsole(await cookieFor({ code }), '/v1/workspace')).status).toBe(200);
    const again = await signIn({ code });
    expect(again.status).toBe(401);
    expect((await problemOf(again)).detail).toMatch(/^This sign-in link was used before, or its 15 minutes are over\./);
  });

  test('is worth nothing after 15 minutes', async () => {
    const code = await createSignInCode(service.database, access, service.clock.now - SIGN_IN_CODE_LIFETIME_MS);
    expect((await signIn({ code })).status).toBe(401);
    const young = await createSignInCode(service.database, access, service.clock.now - SIGN_IN_CODE_LIFETIME_MS + 1);
    expect((await signIn({ code: young })).status).toBe(200);
  });

  test('is worth nothing when its token is revoked or its workspace suspended', async () => {
    const code = await createSignInCode(service.database, access, service.clock.now);
    await setSuspended(workspace, service.database, true);
    expect((await signIn({ code })).status).toBe(401);
    await setSuspended(workspace, service.database, false);
    const other = await createSignInCode(service.database, access, service.clock.now);
    await revokeToken(workspace, service.database, access.token.uuid, 1);
    expect((await signIn({ code: other })).status).toBe(401);
  });

  test('two browsers that use it at the same time get one session', async () => {
    const code = await createSignInCode(service.database, access, service.clock.now);
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn({ code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(7);
  });
});

describe('the end of a session', () => {
  test('signing out ends it for whoever kept the cookie', async () => {
    const cookie = await cookieFor({ token });
    const response = await asConsole(cookie, '/session', { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(response.headers.get('clear-site-data')).toBe('"cache", "storage"');
    expect(response.headers.getSetCookie()[0]).toMatch(/^sendroom=; Max-Age=0; Path=\/;/);
    const replay = await asConsole(cookie, '/v1/workspace');
    expect(replay.status).toBe(401);
    expect((await problemOf(replay)).detail).toBe('There is no session, or it has ended. Sign in again.');
  });

  test('signing out twice, or without a session, is no error', async () => {
    expect((await service.call('/session', { method: 'DELETE', headers: CONSOLE })).status).toBe(204);
  });

  test('a revoked token ends it at the next request', async () => {
    const cookie = await cookieFor({ token });
    await revokeToken(workspace, service.database, access.token.uuid, 1);
    expect((await asConsole(cookie, '/v1/workspace')).status).toBe(401);
  });

  test('a suspended workspace ends it for good', async () => {
    const cookie = await cookieFor({ token });
    await setSuspended(workspace, service.database, true);
    expect((await asConsole(cookie, '/session')).status).toBe(401);
    await setSuspended(workspace, service.database, false);
    expect((await asConsole(cookie, '/session')).status).toBe(401);
  });

  test('30 minutes without a request end it', async () => {
    const cookie = await cookieFor({ token });
    service.clock.now += IDLE_TIMEOUT_MS - 1;
    expect((await asConsole(cookie, '/session')).status).toBe(200);
    service.clock.now += IDLE_TIMEOUT_MS - 1;
    expect((await asConsole(cookie, '/v1/workspace')).status).toBe(200);
    service.clock.now += IDLE_TIMEOUT_MS;
    expect((await asConsole(cookie, '/session')).status).toBe(401);
    service.clock.now -= IDLE_TIMEOUT_MS;
    expect((await asConsole(cookie, '/session')).status).toBe(401);
  });

  test('12 hours end it, however busy it is', async () => {
    const cookie = await cookieFor({ token });
    const end = service.clock.now + SESSION_LIFETIME_MS;
    while (service.clock.now + 20 * MINUTE < end) {
      service.clock.now += 20 * MINUTE;
      expect((await asConsole(cookie, '/session')).status).toBe(200);
    }
    service.clock.now = end;
    expect((await asConsole(cookie, '/session')).status).toBe(401);
  });
});

describe('a cookie that another site makes the browser send', () => {
  const forged: [string, Record<string, string>][] = [
    ['without the header', {}],
    ['with another value of the header', { 'sendroom-console': 'true' }],
    ['from another site', { ...CONSOLE, 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { ...CONSOLE, 'sec-fetch-site': 'same-site' }],
    ['from another origin', { ...CONSOLE, origin: 'https://evil.example' }],
    ['from a page without an origin', { ...CONSOLE, origin: 'null' }],
  ];

  test.each(forged)('does nothing %s', async (_, headers) => {
    const cookie = await cookieFor({ token });
    const path = `/v1/workspaces/${workspace.uuid}/contacts/anna@example.com/unsubscribe`;
    for (const [method, target] of [
      ['POST', path],
      ['GET', '/v1/workspace'],
      ['GET', '/session'],
      ['DELETE', '/session'],
    ] as const) {
      const response = await service.call(target, { method, headers: { cookie, ...headers } });
      expect(response.status, `${method} ${target}`).toBe(403);
      await problemOf(response);
    }
    expect((await asConsole(cookie, '/session')).status).toBe(200);
  });

  test.each(forged)('cannot sign a person in as somebody else %s', async (_, headers) => {
    const response = await signIn({ token }, headers);
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('the browser is given no leave to ask first', async () => {
    const response = await service.call('/session', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(405);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});

test('a bearer token counts without the header, and before any cookie', async () => {
  const response = await service.call('/v1/workspace', { token, headers: { cookie: 'sendroom=stale' } });
  expect(response.status).toBe(200);
});

test('without additions the session tells only what the user stated', async () => {
  await using bare = await startTestService({ settings: { ADDITIONS: 'off' } });
  const own = await createWorkspace(bare.database, { name: 'Own', identity_field: 'customer_id' }, 0);
  const { token } = await createToken(own, bare.database, { name: 'test', role: 'admin' }, 0);
  const nothing = {
    workspace_uuid: null,
    name: null,
    identity_field: null,
    role: null,
    capabilities: [],
    person: null,
    workspaces: [],
  };

  const unstated = await bare.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });
  expect(await unstated.json()).toEqual({ data: nothing });

  const json = { token, workspace: own.uuid };
  const stated = await bare.call('/session', { method: 'POST', json, headers: CONSOLE });
  expect(await stated.json()).toEqual({ data: { ...nothing, workspace_uuid: own.uuid } });

  const later = await bare.call('/session', { headers: { ...CONSOLE, cookie: cookieOf(stated) } });
  expect(await later.json()).toMatchObject({ data: { ...nothing, workspace_uuid: own.uuid } });

  const wrong = { token, workspace: '00000000-0000-4000-8000-000000000000' };
  expect((await bare.call('/session', { method: 'POST', json: wrong, headers: CONSOLE })).status).toBe(403);
});
