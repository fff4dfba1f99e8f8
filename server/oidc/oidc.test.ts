import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Page } from '#contract/list.ts';
import type { LogLine } from '#contract/log.ts';
import type { Member } from '#contract/people.ts';
import { must } from '#contract/must.ts';
import { REFUSALS, type Session } from '#contract/session.ts';
import { COMMAND } from '../database/author.ts';
import type { Workspace } from '../database/workspace.ts';
import { inviteMember } from '../people/members.ts';
import { ASK_AGAIN_AFTER_MS, openSession } from '../sessions/store.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startTestProvider,
  TestBrowser,
  type TestProvider,
} from '../testing/testProvider.ts';
import { CONSOLE } from '../testing/testPeople.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace, findPrincipal, setSuspended } from '../workspaces/store.ts';
import { readConfig } from '../settings/config.ts';
import { Provider } from './provider.ts';
import { createRenewal, GRACE_MS } from './renewal.ts';
import { toReturnPath } from './routes.ts';
import { createSeal } from './seal.ts';

// The whole sign-in with an account, against a real provider.

const PUBLIC_URL = 'http://console.test/';
const BEGIN = `${PUBLIC_URL}session/account`;
const MINUTE = 60_000;

let provider: TestProvider;
let service: TestService;
let workspace: Workspace;
let token: string;

/** The time of the service, the provider and both libraries. */
function setTime(time: number): void {
  service.clock.now = time;
  vi.setSystemTime(time);
}

async function start(settings: Record<string, string> = {}, options: object = {}, consoleDir?: string): Promise<void> {
  provider = await startTestProvider({ publicUrl: PUBLIC_URL, ...options });
  service = await startTestService({
    settings: {
      PUBLIC_URL,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_ROLES: 'support-team=support',
      LOG_LEVEL: 'info',
      ...settings,
    },
    ...(consoleDir !== undefined && { consoleDir }),
  });
  setTime(Date.UTC(2026, 10, 21, 9));
  workspace = await createWorkspace(service.database, { name: 'Acme', identity_field: null }, 0);
  ({ token } = await createToken(workspace, service.database, { name: 'ops', role: 'admin' }, 0));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: false });
});
afterEach(async () => {
  vi.useRealTimers();
  await service[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const browser = () => new TestBrowser(PUBLIC_URL, service.url);
const ANN = { email: 'ann@example.com', email_verified: true, name: 'Ann' };

function letIn(sub = 'ann', claims: object = { ...ANN, groups: ['support-team'] }): void {
  provider.accounts.set(sub, { ...claims });
  provider.person = sub;
}

/** Where somebody lands who signs in: a path of the console. */
const signIn = async (ann: TestBrowser, query = '') => (await ann.follow(BEGIN + query)).slice(PUBLIC_URL.length - 1);
const sessionOf = async (ann: TestBrowser) => {
  const response = await service.call('/session', { headers: { ...CONSOLE, cookie: ann.cookies } });
  return response.status === 200 ? ((await response.json()) as { data: Session | null }).data : null;
};
const byToken = async <Body>(path: string) => (await (await service.call(path, { token })).json()) as Body;
const members = async () => (await byToken<Page<Member>>('/v1/members')).data;
const lines = async () => (await byToken<Page<LogLine>>('/v1/changes?per_page=100')).data;
const refused = (code: (typeof REFUSALS)[number]) => `/sign-in#refused=${code}`;
const isCallback = (next: string) => next.startsWith(`${BEGIN}/callback`);

describe('signing in', () => {
  test('leads to the provider and back to the page that was asked for, as a person with a role', async () => {
    await start();
    letIn();
    const ann = browser();
    expect(await signIn(ann, '?return=/contacts%3Fsearch%3Danna')).toBe('/contacts?search=anna');
    expect(await sessionOf(ann)).toMatchObject({
      role: 'support',
      person: { name: 'Ann', email: 'ann@example.com' },
      workspaces: [{ uuid: workspace.uuid, name: 'Acme' }],
    });
    expect(await members()).toMatchObject([{ email: 'ann@example.com', source: 'group', role: 'support' }]);
    expect((await lines()).map(({ action, actor }) => [action, actor.kind, actor.email])).toEqual([
      ['sign_in', 'person', 'ann@example.com'],
      ['member_join', 'person', 'ann@example.com'],
      ['token_create', 'command', null],
    ]);
    expect(ann.cookies).toMatch(/^sendroom=[\w-]{43}$/);
  });

  test('sends a challenge of the verifier, a state and a nonce, and the secret and the verifier to nobody else', async () => {
    await start();
    letIn();
    const { next } = await browser().visit(BEGIN);
    const query = new URL(next ?? '').searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: CLIENT_ID,
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${BEGIN}/callback`,
      scope: 'openid email profile groups offline_access',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)).toMatch(/^[\w-]{43}$/);
    expect(next).not.toContain(encodeURIComponent(CLIENT_SECRET));
  });

  test.each([
    ['a list of names of the ID token', 'groups', { groups: ['x', 'support-team'] }, true],
    ['a list of names of the user info', 'groups', { groups: ['x', 'support-team'] }, false],
    ['one name of the ID token', 'groups', { groups: 'support-team' }, true],
    ['one name of the user info', 'groups', { groups: 'support-team' }, false],
    ['a path of the ID token', 'realm_access.roles', { realm_access: { roles: ['support-team'] } }, true],
    ['a path of the user info', 'realm_access.roles', { realm_access: { roles: ['support-team'] } }, false],
    [
      'a URL with dots of the ID token',
      'https://example.com/roles',
      { 'https://example.com/roles': ['support-team'] },
      true,
    ],
    [
      'a URL with dots of the user info',
      'https://example.com/roles',
      { 'https://example.com/roles': ['support-team'] },
      false,
    ],
  ])('finds groups in %s', async (_, OIDC_ROLE_CLAIM, claims, claimsInToken) => {
    await start({ OIDC_ROLE_CLAIM }, { claimsInToken });
    letIn('ann', { ...ANN, ...claims });
    const ann = browser();
    expect(await signIn(ann)).toBe('/');
    expect((await sessionOf(ann))?.role).toBe('support');
    expect(provider.requests.includes('/me')).toBe(!claimsInToken);
  });

  test('by a group of one workspace opens that one', async () => {
    const other = '00000000-0000-4000-8000-00000000000b';
    await start({ OIDC_ROLES: `support-team@${other.toUpperCase()}=admin, readers=read, support-team=read` });
    const second = await createWorkspace(service.database, { name: 'Second', identity_field: null }, 0);
    await service.database.unscoped.write((trx) =>
      trx.updateTable('workspaces').set({ uuid: other }).where('id', '=', second.id).execute(),
    );
    letIn();
    const ann = browser();
    await signIn(ann);
    expect((await sessionOf(ann))?.workspaces).toMatchObject([
      { name: 'Acme', role: 'read' },
      { name: 'Second', role: 'admin' },
    ]);
  });

  test.each([
    ['is cut within a character', { name: `${'x'.repeat(253)}😀` }, { name: `${'x'.repeat(253)}\ufffd` }],
    ['has half a character', { name: 'a\ud800' }, { name: 'a\ufffd' }],
    ['has a NUL', { name: 'a\u0000b' }, { name: 'a b' }],
    ['is no text', { name: 5 }, { name: null }],
  ])('works where a name %s', async (_, claims, kept) => {
    await start();
    letIn('ann', { ...ANN, groups: ['support-team'], ...claims });
    const ann = browser();
    expect(await signIn(ann)).toBe('/');
    expect((await sessionOf(ann))?.person).toMatchObject(kept);
  });

  test.each([5, 'ann', 'a\u0000@example.com', '\ud800@example.com', `${'a'.repeat(254)}@example.com`])(
    'works with an address that is none, and without it: %j',
    async (email) => {
      await start();
      letIn('ann', { ...ANN, name: undefined, email, groups: ['support-team'] });
      expect(await signIn(browser())).toBe('/');
      expect(await members()).toMatchObject([{ email: '', name: 'ann' }]);
    },
  );

  test('with a subject of 255 characters works', async () => {
    await start();
    letIn('s'.repeat(255));
    expect(await signIn(browser())).toBe('/');
  });

  test.each([
    ['another', 'other@example.com', ''],
    ['the same', ANN.email, ANN.email],
  ])('takes an address of the ID token for verified where the user info says so of %s', async (_, email, kept) => {
    await start();
    letIn();
    provider.tamper = (claims) => ({ ...claims, email });
    expect(await signIn(browser())).toBe('/');
    expect(provider.requests).toContain('/me');
    expect(await members()).toMatchObject([{ email: kept, source: 'group' }]);
  });

  test('takes an invitation to the verified address', async () => {
    await start();
    await inviteMember(workspace, service.database, { email: 'ANN@example.com', role: 'editor' }, 0);
    letIn('ann', ANN);
    expect(await signIn(browser())).toBe('/');
    expect(await members()).toMatchObject([{ source: 'invited', role: 'editor', name: 'Ann' }]);
  });

  test('gives a new secret, and the session of the browser until then ends', async () => {
    await start();
    letIn();
    const ann = browser();
    await signIn(ann);
    const first = ann.cookies;
    await signIn(ann);
    expect(ann.cookies).not.toBe(first);
    const old = await service.call('/session', { headers: { ...CONSOLE, cookie: first } });
    expect(old.status).toBe(401);
  });

  test('takes no session that somebody else planted', async () => {
    await start();
    letIn();
    const ann = browser();
    const callback = await ann.follow(BEGIN, isCallback);
    const planted = `sendroom=${'x'.repeat(43)}`;
    const response = await service.call(callback.slice(PUBLIC_URL.length - 1), {
      redirect: 'manual',
      headers: { cookie: `${ann.cookies}; ${planted}` },
    });
    const opened = response.headers.getSetCookie().find((line) => line.startsWith('sendroom='));
    expect(opened).toMatch(/^sendroom=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(opened).not.toContain(planted);
    const asPlanted = await service.call('/session', { headers: { ...CONSOLE, cookie: planted } });
    expect(asPlanted.status).toBe(401);
  });

  test('in two tabs at the same time works in both', async () => {
    await start();
    letIn();
    const ann = browser();
    const [one, two] = [await ann.visit(`${BEGIN}?return=/one`), await ann.visit(`${BEGIN}?return=/two`)];
    expect(await ann.follow(two.next ?? '')).toBe(`${PUBLIC_URL}two`);
    expect(await ann.follow(one.next ?? '')).toBe(`${PUBLIC_URL}one`);
    expect(await sessionOf(ann)).not.toBeNull();
  });

  test('that is begun again and again leaves few cookies', async () => {
    await start();
    const ann = browser();
    for (let index = 0; index < 8; index++) {
      setTime(service.clock.now + 1);
      await ann.visit(BEGIN);
    }
    expect(ann.cookies.split('; ')).toHaveLength(4);
  });
});

describe('who is not let in', () => {
  test.each([
    ['who is neither invited nor in a group', { ...ANN }, 'not_invited'],
    ['whose group has no role', { ...ANN, groups: ['guests'] }, 'not_invited'],
    ['without an address', { name: 'Ann' }, 'not_invited'],
  ] as const)('is one %s', async (_, claims, code) => {
    await start();
    letIn('ann', claims);
    const ann = browser();
    expect(await signIn(ann)).toBe(refused(code));
    expect(ann.cookies).toBe('');
    expect(await members()).toEqual([]);
    expect(service.log.join('')).toContain('"refusal":"not_invited"');
  });

  test.each([false, undefined])('is one whose invited address is not verified: %s', async (email_verified) => {
    await start();
    await inviteMember(workspace, service.database, { email: 'ann@example.com', role: 'admin' }, 0);
    letIn('mallory', { email: 'ann@example.com', email_verified });
    const mallory = browser();
    expect(await signIn(mallory)).toBe(refused('email_not_verified'));
    expect(mallory.cookies).toBe('');
    expect((await lines())[0]).toMatchObject({
      action: 'sign_in_refused',
      // Whose address it may be is another matter.
      actor: { kind: 'person', uuid: null, name: 'mallory', email: '' },
      details: { reason: 'email not verified' },
    });
  });

  test('is one whose workspaces are all suspended', async () => {
    await start();
    letIn();
    await setSuspended(workspace, service.database, true);
    expect(await signIn(browser())).toBe(refused('suspended'));
    await setSuspended(workspace, service.database, false);
    expect((await lines())[0]).toMatchObject({ details: { reason: 'workspace suspended' } });
  });

  test('hears at the provider that they have no account there', async () => {
    await start();
    const ann = browser();
    const { next } = await ann.visit(BEGIN);
    const state = new URL(next ?? '').searchParams.get('state') ?? '';
    const denied = `${BEGIN}/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
    expect((await ann.visit(denied)).next).toBe(PUBLIC_URL.slice(0, -1) + refused('provider_refused'));
  });
});

const visitCallback = async (ann: TestBrowser, change: (query: URLSearchParams) => void) => {
  const callback = new URL(await ann.follow(BEGIN, isCallback));
  change(callback.searchParams);
  return ((await ann.visit(callback.href)).next ?? '').slice(PUBLIC_URL.length - 1);
};

describe('an attack', () => {
  test.each<[string, (query: URLSearchParams) => void, (typeof REFUSALS)[number]]>([
    ['a forged state', (query) => query.set('state', 'x'.repeat(43)), 'expired'],
    [
      'a state of which only the beginning is right',
      (query) => query.set('state', `${query.get('state')?.slice(0, 20)}x`),
      'expired',
    ],
    ['no state', (query) => query.delete('state'), 'expired'],
    ['a forged code', (query) => query.set('code', 'x'.repeat(43)), 'provider_refused'],
    ['no code', (query) => query.delete('code'), 'provider_refused'],
    ['another issuer (mix-up)', (query) => query.set('iss', 'https://evil.example.com'), 'provider_refused'],
    ['no issuer', (query) => query.delete('iss'), 'provider_refused'],
  ])('with %s signs nobody in', async (_, change, code) => {
    await start();
    letIn();
    const ann = browser();
    expect(await visitCallback(ann, change)).toBe(refused(code));
    expect(await sessionOf(ann)).toBeNull();
  });

  test.each<[string, NonNullable<TestProvider['tamper']>, (typeof REFUSALS)[number]]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'x'.repeat(43) }), 'provider_refused'],
    ['no nonce', (claims) => ({ ...claims, nonce: undefined }), 'provider_refused'],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example.com' }), 'provider_refused'],
    ['another audience', (claims) => ({ ...claims, aud: 'another client' }), 'provider_refused'],
    ['its time over', (claims) => ({ ...claims, exp: Number(claims['iat']) - 61 }), 'clock'],
  ])('by an ID token with %s signs nobody in', async (_, tamper, code) => {
    await start();
    letIn();
    const ann = browser();
    provider.tamper = (claims) => claims;
    expect(await signIn(ann)).toBe('/');
    provider.tamper = tamper;
    const mallory = browser();
    expect(await signIn(mallory)).toBe(refused(code));
    expect(await sessionOf(mallory)).toBeNull();
  });

  test.each([
    ['a NUL', 'a\u0000b'],
    ['half a character', 'a\ud800'],
    ['256 characters', 'xyz1'.repeat(64)],
    ['no character', ''],
  ])('by a subject with %s signs nobody in, and does not write it down', async (_, sub) => {
    await start();
    letIn();
    provider.tamper = (claims) => ({ ...claims, ...ANN, groups: ['support-team'], sub });
    const mallory = browser();
    expect(await signIn(mallory)).toBe(refused('provider_refused'));
    expect(await sessionOf(mallory)).toBeNull();
    expect(await members()).toEqual([]);
    const log = service.log.join('');
    expect(log).toContain('The subject is empty, longer than 255 characters, or cannot be stored.');
    expect(log).not.toContain('xyz1');
    expect(log).not.toContain('"person"');
  });

  test('by an ID token that another key has signed signs nobody in', async () => {
    await start();
    letIn();
    provider.tamper = (claims) => claims;
    provider.isForged = true;
    expect(await signIn(browser())).toBe(refused('provider_refused'));
  });

  test('that replays a callback signs nobody in, in this browser or another', async () => {
    await start();
    letIn();
    const ann = browser();
    const callback = await ann.follow(BEGIN, isCallback);
    const kept = ann.cookies;
    const again = async (mallory: TestBrowser, headers = {}) =>
      ((await mallory.visit(callback, headers)).next ?? '').slice(PUBLIC_URL.length - 1);
    // Before the owner: the code is bound to the browser that began.
    expect(await again(browser())).toBe(refused('expired'));
    expect(await again(ann)).toBe('/');
    expect(await again(ann)).toBe(refused('expired'));
    // Also where somebody has copied what the browser had: the provider takes a code once.
    const response = await service.call(callback.slice(PUBLIC_URL.length - 1), {
      redirect: 'manual',
      headers: { cookie: kept },
    });
    expect(response.headers.get('location')).toBe(refused('provider_refused'));
    expect(response.headers.getSetCookie().join('')).not.toMatch(/sendroom=[\w-]{43}/);
  });

  test('that took longer than ten minutes signs nobody in', async () => {
    await start();
    letIn();
    const ann = browser();
    const callback = await ann.follow(BEGIN, isCallback);
    setTime(service.clock.now + 10 * MINUTE);
    expect((await ann.visit(callback)).next).toContain(refused('expired'));
  });

  test.each([
    '//evil.example.com',
    '/\\evil.example.com',
    'https://evil.example.com',
    'javascript:alert(1)',
    '/\t/evil.example.com',
    '/..//evil.example.com',
    'contacts',
    '',
    '/x\r\nset-cookie: a=b',
    '/session/account',
    '/session/account/callback?code=x',
    '/%73ession/account?return=/contacts',
    '/x/../session/account',
    '/session',
  ])('that would lead elsewhere leads to the first page: %j', async (asked) => {
    await start();
    letIn();
    expect(await signIn(browser(), `?return=${encodeURIComponent(asked)}`)).toBe('/');
    expect(toReturnPath(asked)).toBe('/');
  });

  test('that guesses callbacks is slowed down as one that guesses tokens is', async () => {
    await start({ RATE_LIMIT: '6000' });
    const statuses = new Map<number, number>();
    for (let index = 0; index < 65; index++) {
      const init = { redirect: 'manual' as const, headers: { 'x-forwarded-for': '10.9.9.9' } };
      const { status } = await service.call(`/session/account/callback?code=x&state=${index}`, init);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 303: 60, 429: 5 });
  });
});

const ways = async () =>
  ((await (await service.call('/session')).json()) as { sign_in: Record<string, unknown> }).sign_in;

describe('the provider', () => {
  test.each([-5, 5])('whose clock is %i minutes off signs nobody in, and the reason is said', async (minutes) => {
    await start();
    letIn();
    service.clock.now += minutes * MINUTE;
    expect(await signIn(browser())).toBe(refused('clock'));
    expect(service.log.join('')).toContain('"refusal":"clock"');
  });

  test.each([-30, 30])('whose clock is %i seconds off signs people in', async (seconds) => {
    await start();
    letIn();
    service.clock.now += seconds * 1000;
    expect(await signIn(browser())).toBe('/');
  });

  test('may have new keys, and the old ones be gone', async () => {
    await start();
    letIn();
    expect(await signIn(browser())).toBe('/');
    await provider.restart();
    expect(await signIn(browser())).toBe('/');
  });

  test('that is away at the begin or at the callback is named, and the next try works', async () => {
    await start();
    letIn();
    const ann = browser();
    const callback = await ann.follow(BEGIN, isCallback);
    await provider.stop();
    expect((await ann.visit(callback)).next).toContain(refused('provider_unreachable'));
    // Its metadata is forgotten.
    setTime(service.clock.now + 11 * MINUTE);
    expect(await signIn(ann)).toBe(refused('provider_unreachable'));
    await provider.restart();
    expect(await signIn(ann)).toBe('/');
  });

  test.each([
    ['the tokens', '/token'],
    ['the keys', '/jwks'],
  ])('that begins to send %s and never ends is named as one that is away', async (_, path) => {
    await start();
    letIn();
    const ann = browser();
    const callback = await ann.follow(BEGIN, isCallback);
    provider.broken = { path, status: 200, body: '{"access_token":"', isEndless: true };
    expect((await ann.visit(callback)).next).toContain(refused('provider_unreachable'));
  });

  test('that sends more than anybody needs is named, and not read to the end', async () => {
    await start();
    letIn();
    const ann = browser();
    const callback = await ann.follow(BEGIN, isCallback);
    provider.broken = { path: '/token', status: 200, body: `{"a":"${'x'.repeat(2 ** 20)}`, isEndless: true };
    const from = performance.now();
    expect((await ann.visit(callback)).next).toContain(refused('provider_unreachable'));
    expect(performance.now() - from).toBeLessThan(4000);
    expect(service.log.join('')).toContain('The response is larger than 1 MiB.');
  });

  test('is named on the sign-in page, with where one signs out of it', async () => {
    await start({ OIDC_NAME: 'Acme account' });
    await expect.poll(async () => (await ways())['account_sign_out']).not.toBeNull();
    const { account_sign_out, ...others } = await ways();
    expect(others).toEqual({ token: true, account: 'Acme account' });
    const url = new URL(String(account_sign_out));
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/session/end`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      post_logout_redirect_uri: PUBLIC_URL,
    });
  });
});

/** Keeps a session in use until the provider is to be asked. */
async function wait(ann: TestBrowser, milliseconds = ASK_AGAIN_AFTER_MS): Promise<void> {
  const end = service.clock.now + milliseconds;
  while (service.clock.now < end) {
    setTime(Math.min(end, service.clock.now + 29 * MINUTE));
    if (service.clock.now < end) expect(await sessionOf(ann)).not.toBeNull();
  }
}
async function signedIn(options = {}, consoleDir?: string): Promise<TestBrowser> {
  await start({}, options, consoleDir);
  letIn();
  const ann = browser();
  await signIn(ann);
  return ann;
}
const asked = () => provider.requests.filter((path) => path === '/token').length;

test('the page of the console says nothing of a session while the provider is to be asked, and asks nobody', async () => {
  const dist = await mkdtemp(join(tmpdir(), 'sendroom-dist-'));
  await writeFile(join(dist, 'index.html'), '<head><title></title></head>');
  const ann = await signedIn({}, dist);
  const page = async () =>
    (
      await service.call(`/w/${workspace.uuid}/contacts`, { headers: { accept: 'text/html', cookie: ann.cookies } })
    ).text();
  expect(await page()).toContain('"email":"ann@example.com"');
  await wait(ann);
  const before = asked();
  expect(await page()).toBe('<head><title></title></head>');
  expect(asked()).toBe(before);
  expect(await sessionOf(ann)).not.toBeNull();
  expect(await page()).toContain('"email":"ann@example.com"');
  await rm(dist, { recursive: true });
});

describe('after twelve hours', () => {
  test('the provider is asked again, once, and the session goes on with the groups of now', async () => {
    const ann = await signedIn();
    await wait(ann);
    expect(asked()).toBe(1);
    provider.accounts.set('ann', { ...ANN, name: 'Ann Other', groups: ['support-team'] });
    const sessions = await Promise.all(Array.from({ length: 5 }, () => sessionOf(ann)));
    expect(sessions.every((session) => session?.person?.name === 'Ann Other')).toBe(true);
    expect(asked()).toBe(2);
    await wait(ann);
    expect(await sessionOf(ann)).not.toBeNull();
    expect(asked()).toBe(3);
  });

  test('somebody whose group is gone is out', async () => {
    const ann = await signedIn();
    provider.accounts.set('ann', ANN);
    await wait(ann);
    expect(await sessionOf(ann)).toBeNull();
    expect(await members()).toEqual([]);
  });

  test('somebody who was removed at the provider is out', async () => {
    const ann = await signedIn();
    provider.accounts.delete('ann');
    await wait(ann);
    expect(await sessionOf(ann)).toBeNull();
  });

  test('somebody whose refresh token now is for another subject is out', async () => {
    const ann = await signedIn();
    await wait(ann);
    provider.tamper = (claims) => ({ ...claims, ...ANN, groups: ['support-team'], sub: 'bob' });
    expect(await sessionOf(ann)).toBeNull();
  });

  test('somebody whose user info now is about another subject is out', async () => {
    const ann = await signedIn();
    await wait(ann);
    provider.broken = { path: '/me', status: 200, body: '{"sub":"bob"}' };
    expect(await sessionOf(ann)).toBeNull();
  });

  test.each([
    ['/token', 200, '<html>Maintenance</html>', 'text/html'],
    ['/token', 200, '{"access_tok'],
    ['/token', 200, '{}'],
    ['/token', 400, '{"error":"invalid_client"}'],
    ['/token', 403, '<html>Blocked</html>', 'text/html'],
    ['/token', 404, ''],
    ['/token', 503, ''],
    ['/me', 200, '<html>Maintenance</html>', 'text/html'],
    ['/me', 404, ''],
  ])('a broken answer, at %s %i %s, lets the session go on for an hour', async (path, status, body, type?: string) => {
    const ann = await signedIn();
    await wait(ann);
    provider.broken = { path, status, body, ...(type !== undefined && { type }) };
    expect(await sessionOf(ann)).not.toBeNull();
    provider.broken = null;
    setTime(service.clock.now + 2 * MINUTE);
    provider.accounts.set('ann', { ...ANN, name: 'Ann Other', groups: ['support-team'] });
    // With the refresh token that came with the broken answer, if one did.
    expect((await sessionOf(ann))?.person?.name).toBe('Ann Other');
    await wait(ann);
    provider.broken = { path, status, body, ...(type !== undefined && { type }) };
    expect(await sessionOf(ann)).not.toBeNull();
    await wait(ann, GRACE_MS);
    expect(await sessionOf(ann)).toBeNull();
  });

  test('two processes that have read a session at the same time use its refresh token once', async () => {
    const ann = await signedIn();
    await wait(ann);
    const { kysely } = service.database.unscoped;
    const row = await kysely.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    const person = { ...must((await sessionOf(ann))?.person), subject: 'ann' };
    expect(asked()).toBe(2);
    const config = readConfig({
      PUBLIC_URL,
      DATABASE_URL: 'file:unused',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
    });
    const now = () => service.clock.now;
    const renew = createRenewal({
      database: service.database,
      provider: new Provider(config, new URL(provider.issuer), now),
      seal: createSeal(CLIENT_SECRET),
      now,
      log: { info: vi.fn(), warn: vi.fn(), error: vi.fn() },
    });
    expect(await renew({ ...row, person }, now())).toBe(true);
    expect(asked()).toBe(2);
    await wait(ann);
    expect(await sessionOf(ann)).not.toBeNull();
  });

  test('somebody for whom the provider gives no refresh token signs in again', async () => {
    const ann = await signedIn({ withRefreshTokens: false });
    await wait(ann);
    expect(await sessionOf(ann)).toBeNull();
  });

  test('a provider that is away lets the session go on for an hour, asked once a minute', async () => {
    const ann = await signedIn();
    await wait(ann);
    await provider.stop();
    expect(await sessionOf(ann)).not.toBeNull();
    expect(await sessionOf(ann)).not.toBeNull();
    expect(service.log.join('').match(/asked again for a person, in vain/g)).toHaveLength(1);
    await wait(ann, GRACE_MS - 1);
    expect(await sessionOf(ann)).not.toBeNull();
    setTime(service.clock.now + 1);
    expect(await sessionOf(ann)).toBeNull();
  });

  test('a provider that comes back within the hour is asked, and what it says counts', async () => {
    const ann = await signedIn();
    await wait(ann);
    await provider.stop();
    expect(await sessionOf(ann)).not.toBeNull();
    await provider.restart();
    setTime(service.clock.now + 2 * MINUTE);
    // It has forgotten all refresh tokens.
    expect(await sessionOf(ann)).toBeNull();
  });

  test('no token of the provider is in the database as it is, nor in the log or a response', async () => {
    const ann = await signedIn();
    const rows = await service.database.unscoped.kysely.selectFrom('sessions').selectAll().execute();
    expect(rows).toMatchObject([{ refresh_token: expect.stringMatching(/^[\w-]{80,}$/) }]);
    const session = await service.call('/session', { headers: { ...CONSOLE, cookie: ann.cookies } });
    expect((await session.text()) + service.log.join('')).not.toContain(String(rows[0]?.refresh_token));
  });
});

describe('with SIGN_IN=oidc', () => {
  test('no token signs in, and none that has keeps its session; programs go on', async () => {
    await start({ SIGN_IN: 'oidc' });
    const response = await service.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({
      detail: "People sign in here with the organisation's account, not with a token.",
    });
    expect((await lines())[0]).toMatchObject({
      action: 'sign_in_refused',
      details: { reason: 'token sign-in is off' },
    });
    const principal = must(await findPrincipal(service.database, token, service.clock.now));
    const opened = { previousSecret: undefined, author: COMMAND };
    const { secret } = await openSession(service.database, { ...principal, statedWorkspace: null }, opened, Date.now());
    const before = await service.call('/session', { headers: { ...CONSOLE, cookie: `sendroom=${secret}` } });
    expect(before.status).toBe(401);
    expect((await service.call('/v1/domains', { token })).status).toBe(200);
    expect(await (await service.call('/session')).json()).toMatchObject({ sign_in: { token: false } });
  });
});
