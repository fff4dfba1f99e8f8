import { describe, expect, test, vi } from 'vitest';
import { must } from '#contract/values/must.ts';
import { AccessWriteBuffer } from '../sessions/accessWriteBuffer.ts';
import { ASK_AGAIN_AFTER_MS } from '../sessions/sessionLimits.ts';
import { readConfig } from '../settings/config.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../../testing/programs/accountProvider.ts';
import type { TestBrowser } from '../testing/testBrowser.ts';
import { createTestFolder } from '../testing/testFolder.ts';
import { CONSOLE } from '../testing/testPeople.ts';
import { ANN, MINUTE, PUBLIC_URL, TestSignIn } from '../testing/testSignIn.ts';
import { Provider } from './provider.ts';
import { createRenewal, GRACE_MS } from './renewal.ts';
import { createSeal } from './seal.ts';

// The provider is asked again while a session goes on.

const setup = new TestSignIn();

async function wait(ann: TestBrowser, milliseconds = ASK_AGAIN_AFTER_MS): Promise<void> {
  const end = setup.service.clock.now + milliseconds;
  while (setup.service.clock.now < end) {
    setup.setTime(Math.min(end, setup.service.clock.now + 29 * MINUTE));
    if (setup.service.clock.now < end) expect(await setup.sessionOf(ann)).not.toBeNull();
  }
}
async function signedIn(options = {}, consoleDir?: string): Promise<TestBrowser> {
  const ann = await setup.begin({}, options, consoleDir);
  await setup.signIn(ann);
  return ann;
}
const asked = () => setup.provider.requests.filter((path) => path === '/token').length;

test('the page of the console says nothing of a session while the provider is to be asked, and asks nobody', async () => {
  await using dist = await createTestFolder({ 'index.html': '<head><title></title></head>', 'shared.html': '' });
  const ann = await signedIn({}, dist.path);
  const headers = { accept: 'text/html', cookie: ann.cookies };
  const page = async () => (await setup.service.call(`/w/${setup.workspace.uuid}/contacts`, { headers })).text();
  expect(await page()).toContain('"email":"ann@example.com"');
  await wait(ann);
  expect(await page()).toBe('<head><title></title></head>');
  expect(asked()).toBe(1);
  expect(await setup.sessionOf(ann)).not.toBeNull();
  expect(await page()).toContain('"email":"ann@example.com"');
});

describe('after twelve hours', () => {
  test('the provider is asked again, once, and the session continues with the current groups', async () => {
    const ann = await signedIn();
    await wait(ann);
    expect(asked()).toBe(1);
    setup.provider.accounts.set('ann', { ...ANN, name: 'Ann Other', groups: ['support-team'] });
    const sessions = await Promise.all(Array.from({ length: 5 }, () => setup.sessionOf(ann)));
    expect(sessions.every((session) => session?.person?.name === 'Ann Other')).toBe(true);
    expect(asked()).toBe(2);
    await wait(ann);
    expect(await setup.sessionOf(ann)).not.toBeNull();
    expect(asked()).toBe(3);
  });

  test.each<[who: string, change: () => unknown, options?: object]>([
    ['whose group is gone', () => setup.provider.accounts.set('ann', ANN)],
    ['who was removed at the provider', () => setup.provider.accounts.delete('ann')],
    [
      'whose refresh token now is for another subject',
      () => (setup.provider.tamper = (claims) => ({ ...claims, ...ANN, groups: ['support-team'], sub: 'bob' })),
    ],
    [
      'whose user info now is about another subject',
      () => (setup.provider.broken = { path: '/me', status: 200, body: '{"sub":"bob"}' }),
    ],
    ['for whom the provider gives no refresh token', () => {}, { withRefreshTokens: false }],
  ])('somebody %s is out', async (_, change, options) => {
    const ann = await signedIn(options);
    await wait(ann);
    change();
    expect(await setup.sessionOf(ann)).toBeNull();
  });

  test.each([
    ['/token', 200, '<html>Maintenance</html>', 'text/html'],
    ['/token', 200, '{"access_tok'],
    ['/token', 400, '{"error":"invalid_client"}'],
    ['/token', 503, ''],
    ['/me', 404, ''],
  ])('a broken answer, at %s %i %s, lets the session go on for an hour', async (path, status, body, type?: string) => {
    const ann = await signedIn();
    await wait(ann);
    setup.provider.broken = { path, status, body, ...(type !== undefined && { type }) };
    expect(await setup.sessionOf(ann)).not.toBeNull();
    setup.provider.broken = null;
    setup.setTime(setup.service.clock.now + 2 * MINUTE);
    setup.provider.accounts.set('ann', { ...ANN, name: 'Ann Other', groups: ['support-team'] });
    // With the refresh token that came with the broken answer, if one did.
    expect((await setup.sessionOf(ann))?.person?.name).toBe('Ann Other');
    await wait(ann);
    setup.provider.broken = { path, status, body, ...(type !== undefined && { type }) };
    expect(await setup.sessionOf(ann)).not.toBeNull();
    await wait(ann, GRACE_MS);
    expect(await setup.sessionOf(ann)).toBeNull();
  });

  test('a refresh token that cannot be stored at once is the one that is used next, and stored soon, for other processes', async () => {
    const ann = await signedIn();
    await wait(ann);
    const { unscoped } = setup.service.database;
    const read = () => unscoped.kysely.selectFrom('sessions').select('refresh_token').executeTakeFirstOrThrow();
    const stored = await read();
    const rename = (from: string, to: string) =>
      unscoped.write((trx) => trx.schema.alterTable(from).renameTo(to).execute());
    setup.provider.tamper = (claims) => {
      setup.provider.tamper = null;
      void rename('sessions', 'elsewhere');
      return claims;
    };
    const response = await setup.service.call('/session', { headers: { ...CONSOLE, cookie: ann.cookies } });
    expect(response.status).toBe(500);
    await rename('elsewhere', 'sessions');
    expect(await setup.sessionOf(ann)).not.toBeNull();
    await expect.poll(read).not.toEqual(stored);
    setup.setTime(setup.service.clock.now + 2 * MINUTE);
    setup.provider.accounts.set('ann', { ...ANN, name: 'Ann Other', groups: ['support-team'] });
    expect((await setup.sessionOf(ann))?.person?.name).toBe('Ann Other');
  });

  test('two processes that have read a session at the same time use its refresh token once', async () => {
    const ann = await signedIn();
    await wait(ann);
    const { kysely } = setup.service.database.unscoped;
    const row = await kysely.selectFrom('sessions').selectAll().executeTakeFirstOrThrow();
    const person = { ...must((await setup.sessionOf(ann))?.person), subject: 'ann' };
    expect(asked()).toBe(2);
    const config = readConfig({
      PUBLIC_URL,
      DATABASE_URL: 'file:unused',
      OIDC_ISSUER: setup.provider.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
    });
    const now = () => setup.service.clock.now;
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const renew = createRenewal({
      database: setup.service.database,
      accessWrites: new AccessWriteBuffer(setup.service.database, log),
      provider: new Provider(config, new URL(setup.provider.issuer), now),
      seal: createSeal(CLIENT_SECRET),
      now,
      log,
    });
    expect(await renew({ ...row, person }, now())).toBe(true);
    expect(asked()).toBe(2);
    await wait(ann);
    expect(await setup.sessionOf(ann)).not.toBeNull();
  });

  test('a provider that is away lets the session go on for an hour, asked once a minute', async () => {
    const ann = await signedIn();
    await wait(ann);
    await setup.provider.stop();
    expect(await setup.sessionOf(ann)).not.toBeNull();
    expect(await setup.sessionOf(ann)).not.toBeNull();
    expect(setup.service.log.join('').match(/asked again for a person, in vain/g)).toHaveLength(1);
    await wait(ann, GRACE_MS - 1);
    expect(await setup.sessionOf(ann)).not.toBeNull();
    setup.setTime(setup.service.clock.now + 1);
    expect(await setup.sessionOf(ann)).toBeNull();
  });

  test('a provider that comes back within the hour is asked, and what it says counts', async () => {
    const ann = await signedIn();
    await wait(ann);
    await setup.provider.stop();
    expect(await setup.sessionOf(ann)).not.toBeNull();
    await setup.provider.restart();
    setup.setTime(setup.service.clock.now + 2 * MINUTE);
    // It has forgotten all refresh tokens.
    expect(await setup.sessionOf(ann)).toBeNull();
  });

  test('no token of the provider is in the database as it is, nor in the log or a response', async () => {
    const ann = await signedIn();
    const rows = await setup.service.database.unscoped.kysely.selectFrom('sessions').selectAll().execute();
    expect(rows).toMatchObject([{ refresh_token: expect.stringMatching(/^[\w-]{80,}$/) }]);
    const session = await setup.service.call('/session', { headers: { ...CONSOLE, cookie: ann.cookies } });
    expect((await session.text()) + setup.service.log.join('')).not.toContain(String(rows[0]?.refresh_token));
  });
});
