import { describe, expect, test, vi } from 'vitest';
import { CLIENT_ID } from '../../testing/programs/accountProvider.ts';
import { BEGIN, isCallback, MINUTE, PUBLIC_URL, refused, TestSignIn } from '../testing/testSignIn.ts';

// What goes wrong at the provider, or between it and the service.

const setup = new TestSignIn();

const ways = async () =>
  ((await (await setup.service.call('/session')).json()) as { sign_in: Record<string, unknown> }).sign_in;

describe('the provider', () => {
  test.each([-5, 5])('whose clock is %i minutes off signs nobody in, and the reason is said', async (minutes) => {
    await setup.begin();
    setup.service.clock.now += minutes * MINUTE;
    expect(await setup.signIn(setup.browser())).toBe(refused('clock'));
    expect(setup.service.log.join('')).toContain('"refusal":"clock"');
  });

  test.each([-30, 30])('whose clock is %i seconds off signs people in', async (seconds) => {
    await setup.begin();
    setup.service.clock.now += seconds * 1000;
    expect(await setup.signIn(setup.browser())).toBe('/');
  });

  test('may have new keys, and the old ones be gone', async () => {
    expect(await setup.signIn(await setup.begin())).toBe('/');
    await setup.provider.restart();
    expect(await setup.signIn(setup.browser())).toBe('/');
  });

  test('that is away at the begin or at the callback is named, and the next try works', async () => {
    const ann = await setup.begin();
    const callback = await ann.follow(BEGIN, isCallback);
    await setup.provider.stop();
    expect((await ann.visit(callback)).next).toContain(refused('provider_unreachable'));
    // Its metadata is forgotten.
    setup.setTime(setup.service.clock.now + 11 * MINUTE);
    expect(await setup.signIn(ann)).toBe(refused('provider_unreachable'));
    await setup.provider.restart();
    expect(await setup.signIn(ann)).toBe('/');
  });

  test.each([
    ['the tokens', '/token'],
    ['the keys', '/jwks'],
  ])('that begins to send %s and never ends is named as one that is away', async (_, path) => {
    const ann = await setup.begin();
    const callback = await ann.follow(BEGIN, isCallback);
    setup.provider.broken = { path, status: 200, body: '{"access_token":"', isEndless: true };
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation((time) => timeout(time / 100));
    expect((await ann.visit(callback)).next).toContain(refused('provider_unreachable'));
    expect(shortened).toHaveBeenCalledWith(5000);
    shortened.mockRestore();
  });

  test('that sends more than anybody needs is named, and not read to the end', async () => {
    const ann = await setup.begin();
    const callback = await ann.follow(BEGIN, isCallback);
    setup.provider.broken = { path: '/token', status: 200, body: `{"a":"${'x'.repeat(2 ** 20)}`, isEndless: true };
    expect((await ann.visit(callback)).next).toContain(refused('provider_unreachable'));
    expect(setup.service.log.join('')).toContain('The response is larger than 1 MiB.');
  });

  test('is named on the sign-in page, with where one signs out of it', async () => {
    await setup.start({ OIDC_NAME: 'Acme account' });
    await expect.poll(async () => (await ways())['account_sign_out']).not.toBeNull();
    const { account_sign_out, ...others } = await ways();
    expect(others).toEqual({ token: true, account: 'Acme account' });
    const url = new URL(String(account_sign_out));
    expect(url.origin + url.pathname).toBe(`${setup.provider.issuer}/session/end`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      post_logout_redirect_uri: PUBLIC_URL,
    });
  });
});
