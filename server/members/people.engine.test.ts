import { beforeEach, describe, expect, test } from 'vitest';
import type { Page } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { ACCOUNT_SIGN_IN_PATH } from '#contract/session.ts';
import type { Member, PersonRole, Token } from '#contract/members.ts';
import type { Workspace } from '../database/workspace.ts';
import { CONSOLE, detailOf, newPerson, signInAs, testAccount, TestPlace } from '../testing/testPeople.ts';
import { createWorkspace, setSuspended } from '../workspaces/store.ts';
import type { Account } from './admit.ts';

// People, as the service lets them in and sees them out. How their accounts are checked is in oidc/, which names and addresses there may
// be in contract/members.test.ts.

const place = new TestPlace();
const { byToken, call, get, post, remove, listed, memberWith, invite, logged, session, sessions } = place;

const unverified = (claimedEmail: string, more: Partial<Account> = {}) =>
  testAccount('', { claimedEmail, name: 'somebody', subject: claimedEmail, ...more });

describe('an invitation', () => {
  test('is for the whole address, also of a long one', async () => {
    const long = `${'a'.repeat(60)}@${'b'.repeat(139)}.example`;
    expect((await invite(long, 'admin')).status).toBe(200);
    expect((await invite(long.toUpperCase())).status).toBe(409);
    expect(await signInAs(place.service, testAccount(`${long}.org`))).toBeNull();
    expect((await invite(`${long}.org`)).status).toBe(200);
    expect(must(await signInAs(place.service, testAccount(`${long}.org`)))).toBeDefined();
    expect((await memberWith(long)).name).toBeNull();
    expect((await session(must(await signInAs(place.service, testAccount(long)))))?.role).toBe('admin');
  });

  test('is not in the way of somebody whose address another account only claims to have', async () => {
    const group: Partial<Account> = { name: 'Mallory', subject: 'mal', roleIn: () => 'read' };
    expect(await signInAs(place.service, unverified('victim@example.com', group))).not.toBeNull();
    expect(await listed()).toMatchObject([{ name: 'Mallory', email: '', source: 'group' }]);
    const lines = await logged();
    expect(lines.find(({ action }) => action === 'member_join')?.details).toMatchObject({ name: 'Mallory', email: '' });
    expect(JSON.stringify(lines)).not.toContain('victim@example.com');
    expect((await invite('victim@example.com', 'admin')).status).toBe(200);
    // Nor do they get it at their next sign-in.
    const mallory = must(await signInAs(place.service, unverified('victim@example.com', group)));
    expect((await session(mallory))?.role).toBe('read');
    await remove(`/v1/sessions/${must((await sessions(byToken()))[0]).uuid}`, byToken());
    await expect
      .poll(async () => (await logged()).at(-1))
      .toMatchObject({ action: 'session_end', details: { name: 'Mallory' } });
    expect((await memberWith('victim@example.com')).role).toBe('admin');
  });

  test('lets in the first account that has verified its address, in any letter case, and no other', async () => {
    expect((await invite(' Ann@Example.com ', 'support')).status).toBe(200);
    expect(await signInAs(place.service, testAccount('bob@example.com'))).toBeNull();
    expect(await signInAs(place.service, unverified('ann@example.com'))).toBeNull();
    const ann = await signInAs(place.service, testAccount('ann@example.com', { subject: 'one', name: 'Ann' }));
    expect(await session(must(ann))).toMatchObject({
      workspace_uuid: place.workspace.uuid,
      role: 'support',
      person: { name: 'Ann', email: 'ann@example.com' },
      workspaces: [{ uuid: place.workspace.uuid, name: 'Acme', role: 'support' }],
    });
    expect(await signInAs(place.service, testAccount('ann@example.com', { subject: 'another' }))).toBeNull();
    const elsewhere = { issuer: 'https://other.example.com', subject: 'one' };
    expect(await signInAs(place.service, testAccount('ann@example.com', elsewhere))).toBeNull();
    // It stays theirs also where a group lets in another with the same address.
    const second = testAccount('ann@example.com', { subject: 'two', roleIn: () => 'read' });
    expect((await session(must(await signInAs(place.service, second))))?.role).toBe('read');
    expect((await session(must(ann)))?.role).toBe('support');
    await remove(`/v1/members/${must((await listed()).find(({ role }) => role === 'read')).uuid}`, byToken());
    // Bound to the account from then on, whatever its address becomes.
    const moved = testAccount('ann.new@example.com', { subject: 'one' });
    expect(await signInAs(place.service, moved)).not.toBeNull();
    expect(await listed()).toMatchObject([{ email: 'ann.new@example.com', source: 'invited', role: 'support' }]);
    expect(await signInAs(place.service, unverified('ann@example.com', { subject: 'one' }))).not.toBeNull();
    expect(await listed()).toMatchObject([{ email: '', source: 'invited', role: 'support' }]);
  });
});

const grouped = (role: PersonRole | null) => testAccount('gus@example.com', { roleIn: () => role });

describe('a group', () => {
  test('makes a member with its role, which follows it at each sign-in', async () => {
    const first = must(await signInAs(place.service, grouped('read')));
    expect(await listed()).toMatchObject([{ email: 'gus@example.com', source: 'group', role: 'read' }]);
    expect((await session(first))?.role).toBe('read');
    await signInAs(place.service, grouped('editor'));
    expect((await session(first))?.role).toBe('editor');
    expect(await signInAs(place.service, grouped(null))).toBeNull();
    expect((await call('/session', first)).status).toBe(401);
    expect(await listed()).toEqual([]);
    const lines = (await logged()).filter(({ action }) => action !== 'token_create');
    expect(lines).toMatchObject([
      { action: 'member_join', actor: { kind: 'person', email: 'gus@example.com' }, details: { role: 'read' } },
      { action: 'sign_in', actor: { kind: 'person' } },
      { action: 'member_role', actor: { kind: 'service' }, details: { before: 'read', role: 'editor' } },
      { action: 'sign_in' },
      { action: 'member_remove', actor: { kind: 'service' }, details: { email: 'gus@example.com' } },
    ]);
  });

  test('does not change who was invited, and nobody else changes its role', async () => {
    const gus = grouped('read');
    await signInAs(place.service, gus);
    const { uuid } = await memberWith('gus@example.com');
    expect(await detailOf(await post(`/v1/members/${uuid}`, { role: 'admin' }, byToken()))).toEqual([
      409,
      'This role comes from a group of their account. Change it there.',
    ]);
    await remove(`/v1/members/${uuid}`, byToken());
    await invite('gus@example.com', 'editor');
    await signInAs(place.service, gus);
    expect(await listed()).toMatchObject([{ source: 'invited', role: 'editor' }]);
  });
});

describe('a person with several workspaces', () => {
  let other: Workspace;
  let ann: Record<string, string>;
  beforeEach(async () => {
    other = await createWorkspace(place.service.database, { name: 'Aardvark', identity_field: null }, 0);
    await invite('ann@example.com', 'admin');
    ann = await newPerson(place.service, other, 'read', 'ann@example.com');
  });
  const at = (uuid: string) => ({ ...ann, 'sendroom-workspace': uuid });

  test('reaches no workspace that is not theirs, and cannot tell whether it is there', async () => {
    const foreign = await createWorkspace(place.service.database, { name: 'Foreign', identity_field: null }, 0);
    for (const uuid of [foreign.uuid, '00000000-0000-4000-8000-000000000000', 'x']) {
      expect(await detailOf(await call('/v1/domains', at(uuid)))).toEqual([
        403,
        'You have no access to the workspace of this request.',
      ]);
      // The console compares.
      expect((await session(at(uuid)))?.workspace_uuid).toBe(other.uuid);
    }
    const wrong = { ...byToken(), 'sendroom-workspace': other.uuid };
    expect(await detailOf(await call('/v1/domains', wrong))).toEqual([
      403,
      'This token has no access to the workspace of this request.',
    ]);
  });

  test('keeps those that are left when one removes them or is suspended', async () => {
    await setSuspended(other, place.service.database, true);
    expect((await session(ann))?.workspaces.map(({ name }) => name)).toEqual(['Acme']);
    await setSuspended(other, place.service.database, false);
    const { uuid } = await memberWith('ann@example.com');
    await remove(`/v1/members/${uuid}`, byToken());
    expect((await session(ann))?.workspaces.map(({ name }) => name)).toEqual(['Aardvark']);
    expect((await call('/v1/domains', at(place.workspace.uuid))).status).toBe(403);
    await setSuspended(other, place.service.database, true);
    expect((await call('/session', ann)).status).toBe(401);
  });
});

test('lists your own sessions, for an admin all of them, and ends what is listed', async () => {
  const ann = await newPerson(place.service, place.workspace, 'read', 'ann@example.com');
  place.service.clock.now += 1;
  const again = must(await signInAs(place.service, testAccount('ann@example.com')));
  place.service.clock.now += 1;
  const response = await call('/session', CONSOLE, { method: 'POST', json: { token: place.token } });
  const ofToken = { ...CONSOLE, cookie: must(response.headers.getSetCookie()[0]?.split(';')[0]) };

  const own = await sessions(again);
  expect(own).toMatchObject([{ current: true, person: { email: 'ann@example.com' }, token: null }, { current: false }]);
  const all = await sessions(ofToken);
  expect(all).toMatchObject([{ current: true, person: null, token: 'ops' }, { current: false }, {}]);
  const [ofAdmin, newer, older] = all.map(({ uuid }) => uuid);
  expect((await remove(`/v1/sessions/${ofAdmin}`, again)).status).toBe(404);
  expect((await remove(`/v1/sessions/${older}`, again)).status).toBe(204);
  expect((await call('/session', ann)).status).toBe(401);
  expect((await remove(`/v1/sessions/${newer}`, ofToken)).status).toBe(204);
  expect((await call('/session', again)).status).toBe(401);
  expect((await remove(`/v1/sessions/${newer}`, ofToken)).status).toBe(404);
  await expect
    .poll(async () => (await logged()).filter(({ action }) => action === 'session_end'))
    .toMatchObject([
      { actor: { kind: 'person', email: 'ann@example.com' }, details: { email: 'ann@example.com' } },
      { actor: { kind: 'token', name: 'ops' }, details: { email: 'ann@example.com' } },
    ]);
});

test('tokens are made with a secret that is shown once, listed without, and revoked', async () => {
  const expires_at = new Date(place.service.clock.now + 60_000).toISOString();
  const response = await post('/v1/tokens', { name: ' shop ', role: 'ingest', expires_at }, byToken());
  const { data } = (await response.json()) as { data: Token & { secret: string } };
  const { secret, ...made } = data;
  expect(made).toMatchObject({ name: 'shop', role: 'ingest', expires_at, revoked_at: null, last_used_on: null });
  const create = { method: 'POST', token: secret, json: { attributes: { email: 'x@example.com' } } };
  expect((await place.service.call('/v1/contacts', create)).status).toBe(200);
  expect((await get<Page<Token>>('/v1/tokens?search=SHO', byToken())).data).toMatchObject([{ uuid: made.uuid }]);
  expect(JSON.stringify(await get('/v1/tokens', byToken()))).not.toContain(secret);
  for (const status of [204, 204]) expect((await remove(`/v1/tokens/${made.uuid}`, byToken())).status).toBe(status);
  expect((await place.service.call('/v1/contacts', create)).status).toBe(401);
  // What is accepted comes first, although it is older.
  const all = (await get<Page<Token>>('/v1/tokens', byToken())).data;
  expect(all.map(({ name }) => name)).toEqual(['ops', 'shop']);
  expect((await logged()).slice(-3)).toMatchObject([
    { action: 'token_create', details: { name: 'shop', role: 'ingest' }, actor: { name: 'ops' } },
    { action: 'create', actor: { name: 'shop' } },
    { action: 'token_revoke', details: { name: 'shop', role: 'ingest' } },
  ]);
});

const emails = async (query: string) =>
  (await get<Page<Member>>(`/v1/members?${query}`, byToken())).data.map(({ email }) => email[0]);

test('the list of members is searched by address and name, and sorted', async () => {
  for (const email of ['b@example.com', 'C@example.com', 'a@example.com']) {
    place.service.clock.now += 1000;
    await invite(email, email === 'C@example.com' ? 'admin' : 'read');
  }
  await signInAs(place.service, testAccount('a@example.com', { name: 'Zoë' }));
  expect(await emails('')).toEqual(['a', 'C', 'b']);
  expect(await emails('sorting[]={"id":"email","desc":false}')).toEqual(['a', 'b', 'C']);
  expect(await emails('sorting[]={"id":"role","desc":false}&per_page=1')).toEqual(['C']);
  expect(await emails('sorting[]={"id":"last_seen_at","desc":true}&per_page=2&page=2')).toHaveLength(1);
  expect(await emails('search=zoe')).toEqual(['a']);
  expect(await emails('search=EXAMPLE%20c')).toHaveLength(3);
  expect(await emails('search=nobody')).toEqual([]);
});

test('the list of members tells to the minute when they were here', async () => {
  const ann = await newPerson(place.service, place.workspace, 'read', 'ann@example.com');
  expect((await memberWith('ann@example.com')).last_seen_at).toBeNull();
  place.service.clock.now += 90_000;
  await call('/v1/domains', ann);
  const at = new Date(place.service.clock.now - (place.service.clock.now % 60_000)).toISOString();
  await expect.poll(async () => (await memberWith('ann@example.com')).last_seen_at).toBe(at);
});

const make = async (name: string, role: string, by: Parameters<typeof post>[2], more: object = {}) => {
  const made = await post('/v1/tokens', { name, role, ...more }, by);
  return ((await made.json()) as { data: { uuid: string; secret: string } }).data;
};
const withSecret = (secret: string) => ({ authorization: `Bearer ${secret}` });

describe('a role that is changed, and a member who is removed', () => {
  test('hold for their next request', async () => {
    const ann = await newPerson(place.service, place.workspace, 'read', 'ann@example.com');
    const { uuid } = await memberWith('ann@example.com');
    expect(await detailOf(await call('/v1/tokens', ann))).toEqual([
      403,
      'This needs the role "admin". You have the role "read".',
    ]);
    expect(await (await post(`/v1/members/${uuid}`, { role: 'admin' }, byToken())).json()).toMatchObject({
      data: { uuid, role: 'admin' },
    });
    expect((await call('/v1/tokens', ann)).status).toBe(200);
    expect((await remove(`/v1/members/${uuid}`, byToken())).status).toBe(200);
    expect((await call('/v1/domains', ann)).status).toBe(401);
    expect((await remove(`/v1/members/${uuid}`, byToken())).status).toBe(404);
    expect(await signInAs(place.service, testAccount('ann@example.com'))).toBeNull();
    expect((await logged()).map(({ action }) => action)).toEqual([
      'token_create',
      'member_invite',
      'member_join',
      'sign_in',
      'member_role',
      'member_remove',
    ]);
  });

  test('the last admin who can sign in neither removes nor lowers themselves; a token does it', async () => {
    const ann = await newPerson(place.service, place.workspace, 'admin', 'ann@example.com');
    // Nobody may ever sign in with this address.
    await invite('pending@example.com', 'admin');
    const { uuid } = await memberWith('ann@example.com');
    const refused = [409, 'This is the last admin who can sign in. Make someone else an admin first.'];
    expect(await detailOf(await remove(`/v1/members/${uuid}`, ann))).toEqual(refused);
    expect(await detailOf(await post(`/v1/members/${uuid}`, { role: 'read' }, ann))).toEqual(refused);
    const bob = await newPerson(place.service, place.workspace, 'admin', 'bob@example.com');
    expect((await remove(`/v1/members/${uuid}`, ann)).status).toBe(200);
    const last = await memberWith('bob@example.com');
    expect((await remove(`/v1/members/${last.uuid}`, bob)).status).toBe(409);
    expect((await remove(`/v1/members/${last.uuid}`, byToken())).status).toBe(200);
  });

  test('leave the accepted tokens that they created, or that were created with these, which the removal lists', async () => {
    const ann = await newPerson(place.service, place.workspace, 'admin', 'ann@example.com');
    const bob = await newPerson(place.service, place.workspace, 'admin', 'bob@example.com');
    const first = await make('first', 'admin', ann);
    const second = await make('second', 'admin', withSecret(first.secret));
    await make('third', 'read', withSecret(second.secret));
    await make('expired', 'read', ann, { expires_at: new Date(place.service.clock.now + 1000).toISOString() });
    await make('of Bob', 'admin', bob);
    // What was created with it stays accepted.
    await remove(`/v1/tokens/${second.uuid}`, byToken());
    place.service.clock.now += 2000;
    const removed = await remove(`/v1/members/${(await memberWith('ann@example.com')).uuid}`, byToken());
    const { data } = (await removed.json()) as { data: { tokens: Token[] } };
    expect(data.tokens.map(({ name, role }) => `${name}: ${role}`).toSorted()).toEqual(['first: admin', 'third: read']);
    // An invitation that nobody has taken has created none.
    await invite('pending@example.com', 'admin');
    const pending = await remove(`/v1/members/${(await memberWith('pending@example.com')).uuid}`, byToken());
    expect(await pending.json()).toEqual({ data: { tokens: [] } });
  });
});

const newToken = (about: object) => post('/v1/tokens', { name: 'new', role: 'read', ...about }, byToken());

test('what is refused is said', async () => {
  await invite('ann@example.com');
  expect(await detailOf(await invite('ANN@example.com'))).toEqual([409, 'A member already has this address.']);
  expect((await invite('ann')).status).toBe(422);
  expect(await detailOf(await newToken({ name: 'a\u202eb' }))).toEqual([422, 'name contains invisible characters.']);
  const expires_at = new Date(place.service.clock.now).toISOString();
  expect(await detailOf(await newToken({ expires_at }))).toEqual([422, 'expires_at is in the past.']);
  // Without a provider there is no account to sign in with.
  expect((await place.service.call(ACCOUNT_SIGN_IN_PATH)).status).toBe(404);
  const sign_in = { token: true, account: null, account_sign_out: null };
  expect(await get('/session', {})).toEqual({ data: null, sign_in });
});
