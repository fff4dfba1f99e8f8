import { describe, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import { inviteMember } from '../members/members.ts';
import { openPersonSession, openSession } from '../sessions/store.ts';
import { CONSOLE } from '../testing/testPeople.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../../testing/programs/accountProvider.ts';
import { ANN, BEGIN, isCallback, PUBLIC_URL, refused, TestSignIn } from '../testing/testSignIn.ts';
import { findPrincipal, setSuspended } from '../workspaces/store.ts';

// The sign-in with an account, and who is not let in.

const setup = new TestSignIn();

describe('signing in', () => {
  test('leads to the provider and back to the page that was asked for, as a person with a role', async () => {
    const ann = await setup.begin();
    expect(await setup.signIn(ann, '?return=/contacts%3Fsearch%3Danna')).toBe('/contacts?search=anna');
    expect(await setup.sessionOf(ann)).toMatchObject({
      role: 'support',
      person: { name: 'Ann', email: 'ann@example.com' },
      workspaces: [{ uuid: setup.workspace.uuid, name: 'Acme' }],
    });
    expect(await setup.members()).toMatchObject([{ email: 'ann@example.com', source: 'group', role: 'support' }]);
    expect((await setup.lines()).map(({ action, actor }) => [action, actor.kind, actor.email])).toEqual([
      ['sign_in', 'person', 'ann@example.com'],
      ['member_join', 'person', 'ann@example.com'],
      ['token_create', 'command', null],
    ]);
    expect(ann.cookies).toMatch(/^sendroom=[\w-]{43}$/);
  });

  test('sends a challenge of the verifier, a state and a nonce, and the secret and the verifier to nobody else', async () => {
    await setup.begin();
    const { next } = await setup.browser().visit(BEGIN);
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

  test('warns at the start of a workspace in OIDC_ROLES that does not exist', async () => {
    const unknown = '00000000-0000-4000-8000-00000000000a';
    await setup.start({ OIDC_ROLES: `ops@${unknown}=admin` });
    await expect
      .poll(() => setup.service.log.join(''))
      .toContain(`"workspace":"${unknown}","msg":"OIDC_ROLES names an unknown workspace"`);
  });

  // Where in the claims they may be is in claims.test.ts.
  test.each([
    ['the ID token', 'realm_access.roles', { realm_access: { roles: ['support-team'] } }, true],
    ['the user info', 'https://example.com/roles', { 'https://example.com/roles': ['support-team'] }, false],
  ])('finds groups in %s', async (_, OIDC_ROLE_CLAIM, claims, claimsInToken) => {
    await setup.start({ OIDC_ROLE_CLAIM }, { claimsInToken });
    setup.letIn('ann', { ...ANN, ...claims });
    const ann = setup.browser();
    expect(await setup.signIn(ann)).toBe('/');
    expect((await setup.sessionOf(ann))?.role).toBe('support');
    expect(setup.provider.requests.includes('/me')).toBe(!claimsInToken);
  });

  test('gives a new secret, and the session of the browser until then ends', async () => {
    const ann = await setup.begin();
    await setup.signIn(ann);
    const first = ann.cookies;
    await setup.signIn(ann);
    expect(ann.cookies).not.toBe(first);
    const old = await setup.service.call('/session', { headers: { ...CONSOLE, cookie: first } });
    expect(old.status).toBe(401);
  });

  test('ends the oldest session of the person beyond twenty', async () => {
    const ann = await setup.begin();
    await setup.signIn(ann);
    const { person } = must(await setup.sessionOf(ann));
    const admitted = { person: { ...must(person), subject: 'ann' }, workspaces: [] };
    const more = { previousSecret: undefined, refreshToken: null, author: COMMAND };
    const { database, clock } = setup.service;
    for (let count = 1; count < 20; count++) await openPersonSession(database, admitted, more, clock.now + 1);
    expect(await setup.sessionOf(ann)).not.toBeNull();
    await openPersonSession(database, admitted, more, clock.now + 1);
    expect(await setup.sessionOf(ann)).toBeNull();
  });

  test('ends the session of the browser also where that is not sent along from the site of the provider', async () => {
    const ann = await setup.begin();
    await setup.signIn(ann);
    const first = ann.cookies;
    const callback = await ann.follow(BEGIN, isCallback);
    // SameSite=Strict (RFC 6265bis, 5.2).
    const lax = ann.cookies.split('; ').filter((one) => !one.startsWith('sendroom='));
    const headers = { cookie: lax.join('; ') };
    const back = await setup.service.call(callback.slice(PUBLIC_URL.length - 1), { redirect: 'manual', headers });
    expect(back.headers.get('location')).toBe('/');
    expect((await setup.service.call('/session', { headers: { ...CONSOLE, cookie: first } })).status).toBe(401);
  });

  test('takes no session that somebody else planted', async () => {
    const ann = await setup.begin();
    const callback = await ann.follow(BEGIN, isCallback);
    const planted = `sendroom=${'x'.repeat(43)}`;
    const response = await setup.service.call(callback.slice(PUBLIC_URL.length - 1), {
      redirect: 'manual',
      headers: { cookie: `${ann.cookies}; ${planted}` },
    });
    const opened = response.headers.getSetCookie().find((line) => line.startsWith('sendroom='));
    expect(opened).toMatch(/^sendroom=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(opened).not.toContain(planted);
    const asPlanted = await setup.service.call('/session', { headers: { ...CONSOLE, cookie: planted } });
    expect(asPlanted.status).toBe(401);
  });

  test('in two tabs at the same time works in both', async () => {
    const ann = await setup.begin();
    const [one, two] = [await ann.visit(`${BEGIN}?return=/one`), await ann.visit(`${BEGIN}?return=/two`)];
    expect(await ann.follow(two.next ?? '')).toBe(`${PUBLIC_URL}two`);
    expect(await ann.follow(one.next ?? '')).toBe(`${PUBLIC_URL}one`);
    expect(await setup.sessionOf(ann)).not.toBeNull();
  });

  test('that is begun again and again leaves few cookies', async () => {
    await setup.start();
    const ann = setup.browser();
    for (let index = 0; index < 8; index++) {
      setup.setTime(setup.service.clock.now + 1);
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
    await setup.start();
    setup.letIn('ann', claims);
    const ann = setup.browser();
    expect(await setup.signIn(ann)).toBe(refused(code));
    expect(ann.cookies).toBe('');
    expect(await setup.members()).toEqual([]);
    expect(setup.service.log.join('')).toContain('"refusal":"not_invited"');
  });

  test('is one whose invited address is not verified', async () => {
    await setup.start();
    await inviteMember(setup.workspace, setup.service.database, { email: 'ann@example.com', role: 'admin' }, 0);
    setup.letIn('mallory', { email: 'ann@example.com' });
    const mallory = setup.browser();
    expect(await setup.signIn(mallory)).toBe(refused('email_not_verified'));
    expect(mallory.cookies).toBe('');
    await expect
      .poll(async () => (await setup.lines())[0])
      .toMatchObject({
        action: 'sign_in_refused',
        // Whose address it may be is another matter.
        actor: { kind: 'person', uuid: null, name: 'mallory', email: '' },
        details: { reason: 'email not verified' },
      });
  });

  test('is one whose workspaces are all suspended', async () => {
    await setup.begin();
    await setSuspended(setup.workspace, setup.service.database, true);
    expect(await setup.signIn(setup.browser())).toBe(refused('suspended'));
    await setSuspended(setup.workspace, setup.service.database, false);
    await expect
      .poll(async () => (await setup.lines())[0])
      .toMatchObject({ details: { reason: 'workspace suspended' } });
  });

  test('hears at the provider that they have no account there', async () => {
    await setup.start();
    const ann = setup.browser();
    const { next } = await ann.visit(BEGIN);
    const state = new URL(next ?? '').searchParams.get('state') ?? '';
    const denied = `${BEGIN}/callback?error=access_denied&state=${state}&iss=${encodeURIComponent(setup.provider.issuer)}`;
    expect((await ann.visit(denied)).next).toBe(PUBLIC_URL.slice(0, -1) + refused('provider_refused'));
  });
});

test('with SIGN_IN=oidc no token signs in, and none that has keeps its session; programs go on', async () => {
  await setup.start({ SIGN_IN: 'oidc' });
  const { database, call, clock } = setup.service;
  const response = await call('/session', { method: 'POST', json: { token: setup.token }, headers: CONSOLE });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    detail: "Signing in with a token is turned off. Use your organisation's account.",
  });
  await expect
    .poll(async () => (await setup.lines())[0])
    .toMatchObject({ action: 'sign_in_refused', details: { reason: 'token sign-in is off' } });
  const session = { ...must(await findPrincipal(database, setup.token, clock.now)), statedWorkspace: null };
  const { secret } = await openSession(database, session, { previousSecret: undefined, author: COMMAND }, clock.now);
  expect((await call('/session', { headers: { ...CONSOLE, cookie: `sendroom=${secret}` } })).status).toBe(401);
  expect((await call('/v1/domains', { token: setup.token })).status).toBe(200);
  expect(await (await call('/session')).json()).toMatchObject({ sign_in: { token: false } });
});
