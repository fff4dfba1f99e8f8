import { describe, expect, test, vi } from 'vitest';
import type { REFUSALS } from '#contract/session.ts';
import { inviteMember } from '../members/members.ts';
import type { AccountProvider } from '../../testing/programs/accountProvider.ts';
import type { TestBrowser } from '../testing/testBrowser.ts';
import { ANN, BEGIN, isCallback, MINUTE, PUBLIC_URL, refused, TestSignIn } from '../testing/testSignIn.ts';

// What signs nobody in.

const setup = new TestSignIn();

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
    const ann = await setup.begin();
    expect(await visitCallback(ann, change)).toBe(refused(code));
    expect(await setup.sessionOf(ann)).toBeNull();
  });

  test.each<[string, NonNullable<AccountProvider['tamper']>, (typeof REFUSALS)[number]]>([
    ['another nonce', (claims) => ({ ...claims, nonce: 'x'.repeat(43) }), 'provider_refused'],
    ['no nonce', (claims) => ({ ...claims, nonce: undefined }), 'provider_refused'],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example.com' }), 'provider_refused'],
    ['another audience', (claims) => ({ ...claims, aud: 'another client' }), 'provider_refused'],
    ['its time over', (claims) => ({ ...claims, exp: Number(claims['iat']) - 61 }), 'clock'],
  ])('by an ID token with %s signs nobody in', async (_, tamper, code) => {
    const ann = await setup.begin();
    setup.provider.tamper = (claims) => claims;
    expect(await setup.signIn(ann)).toBe('/');
    setup.provider.tamper = tamper;
    const mallory = setup.browser();
    expect(await setup.signIn(mallory)).toBe(refused(code));
    expect(await setup.sessionOf(mallory)).toBeNull();
  });

  test('by a subject that cannot be stored signs nobody in, and does not write it down', async () => {
    await setup.begin();
    const sub = 'xyz1'.repeat(64);
    setup.provider.tamper = (claims) => ({ ...claims, ...ANN, groups: ['support-team'], sub });
    const mallory = setup.browser();
    expect(await setup.signIn(mallory)).toBe(refused('provider_refused'));
    expect(await setup.sessionOf(mallory)).toBeNull();
    expect(await setup.members()).toEqual([]);
    const log = setup.service.log.join('');
    expect(log).toContain("The subject is empty, longer than 255 characters, or can't be stored.");
    expect(log).not.toContain('xyz1');
    expect(log).not.toContain('"person"');
  });

  test('by an ID token that another key has signed signs nobody in', async () => {
    await setup.begin();
    setup.provider.tamper = (claims) => claims;
    setup.provider.isForged = true;
    expect(await setup.signIn(setup.browser())).toBe(refused('provider_refused'));
  });

  test('that replays a callback signs nobody in, in this browser or another', async () => {
    const ann = await setup.begin();
    const callback = await ann.follow(BEGIN, isCallback);
    const kept = ann.cookies;
    const again = async (mallory: TestBrowser, headers = {}) =>
      ((await mallory.visit(callback, headers)).next ?? '').slice(PUBLIC_URL.length - 1);
    // Before the owner: the code is bound to the browser that began.
    expect(await again(setup.browser())).toBe(refused('expired'));
    expect(await again(ann)).toBe('/');
    expect(await again(ann)).toBe(refused('expired'));
    // Also where somebody has copied what the browser had: the provider takes a code once.
    const response = await setup.service.call(callback.slice(PUBLIC_URL.length - 1), {
      redirect: 'manual',
      headers: { cookie: kept },
    });
    expect(response.headers.get('location')).toBe(refused('provider_refused'));
    expect(response.headers.getSetCookie().join('')).not.toMatch(/sendroom=[\w-]{43}/);
  });

  test('that took longer than ten minutes signs nobody in', async () => {
    const ann = await setup.begin();
    const callback = await ann.follow(BEGIN, isCallback);
    setup.setTime(setup.service.clock.now + 10 * MINUTE);
    expect((await ann.visit(callback)).next).toContain(refused('expired'));
  });

  test.each(['//evil.example.com', '/x\r\nset-cookie: a=b'])(
    'that would lead elsewhere leads to the first page: %j',
    async (asked) => {
      await setup.start();
      setup.letIn();
      expect(await setup.signIn(setup.browser(), `?return=${encodeURIComponent(asked)}`)).toBe('/');
    },
  );

  test('that guesses callbacks is slowed down as one that guesses tokens is', async () => {
    await setup.start({ RATE_LIMIT: '6000' });
    const statuses = new Map<number, number>();
    for (let index = 0; index < 65; index++) {
      const init = { redirect: 'manual' as const, headers: { 'x-forwarded-for': '10.9.9.9' } };
      const { status } = await setup.service.call(`/session/account/callback?code=x&state=${index}`, init);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(Object.fromEntries(statuses)).toEqual({ 303: 60, 429: 5 });
  });

  test('with codes that are guessed, all at once, reaches the provider 60 times a minute, and nobody else waits', async () => {
    await setup.start({ RATE_LIMIT: '6000' });
    const browsers = Array.from({ length: 100 }, () => setup.browser());
    const callbacks = await Promise.all(
      browsers.map(async (browser, index) => {
        const { next } = await browser.visit(BEGIN, { 'x-forwarded-for': `10.1.0.${index}` });
        const state = new URL(next ?? '').searchParams.get('state') ?? '';
        const path = `/session/account/callback?${new URLSearchParams({ code: 'x', state, iss: setup.provider.issuer })}`;
        return { path, cookie: browser.cookies };
      }),
    );
    const call = ({ path, cookie }: { path: string; cookie: string }, address: string) =>
      setup.service.call(path, { redirect: 'manual', headers: { cookie, 'x-forwarded-for': address } });
    const answers = await Promise.all(callbacks.slice(0, 99).map((callback) => call(callback, '10.9.9.9')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(39);
    expect(setup.provider.requests.filter((path) => path === '/token')).toHaveLength(60);
    for (const last of callbacks.slice(99)) expect((await call(last, '10.9.9.8')).status).toBe(303);
  });

  test('that begins many sign-ins while the provider hangs opens one connection to it', async () => {
    await setup.start({ RATE_LIMIT: '6000' });
    vi.useRealTimers();
    const path = '/.well-known/openid-configuration';
    // What was read at the start is over.
    setup.service.clock.now += 11 * MINUTE;
    setup.provider.requests.length = 0;
    setup.provider.broken = { path, status: 200, body: '{', isEndless: true };
    const began = performance.now();
    const call = (index: number) =>
      setup.service.call('/session/account', {
        redirect: 'manual',
        headers: { 'x-forwarded-for': index < 100 ? '10.9.9.9' : `10.9.8.${index}` },
      });
    const answers = await Promise.all(Array.from({ length: 150 }, (_, index) => call(index)));
    expect(performance.now() - began).toBeLessThan(8_000);
    expect(setup.provider.requests.filter((one) => one === path)).toHaveLength(1);
    expect(Map.groupBy(answers, ({ status }) => status).get(429)).toHaveLength(40);
    expect(answers.find(({ status }) => status === 303)?.headers.get('location')).toBe(refused('provider_unreachable'));
  }, 20_000);

  // Their lower case, or another form of Unicode, is in ASCII (UnicodeData.txt).
  test.each(['\u212aim@example.com', '\uff4bim@example.com', 'kim@ex\u24d0mple.com'])(
    'with the verified address %j takes no invitation of one that looks like it',
    async (email) => {
      await setup.start();
      await inviteMember(setup.workspace, setup.service.database, { email: 'Kim@example.com', role: 'admin' }, 0);
      setup.letIn('mallory', { ...ANN, email, groups: [] });
      expect(await setup.signIn(setup.browser())).toBe(refused('not_invited'));
      setup.letIn('kim', { ...ANN, email: 'kim@Example.com', groups: [] });
      expect(await setup.signIn(setup.browser())).toBe('/');
    },
  );
});
