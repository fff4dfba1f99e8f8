import { describe, expect, test } from 'vitest';
import { ACCOUNT_SIGN_IN_PATH } from '#contract/session.ts';
import { IDLE_TIMEOUT_MS } from '../sessions/sessionLimits.ts';
import { detailOf, newPerson, signInAs, testAccount, TestPlace } from '../testing/testPeople.ts';

// What the service answers to and about people, on any engine. Which names and addresses it takes is in contract/people.test.ts.

const place = new TestPlace();
const { byToken, call, get, post, remove, memberWith, invite, logged, sessions } = place;

test('an invitation of a member is refused, and one to no address', async () => {
  await invite('ann@example.com');
  expect(await detailOf(await invite('ANN@example.com'))).toEqual([
    409,
    'A member of this workspace has this address.',
  ]);
  expect((await invite('ann')).status).toBe(422);
});

test('the role of a member by a group is not changed here', async () => {
  await signInAs(place.service, testAccount('gus@example.com', { roleIn: () => 'read' }));
  const { uuid } = await memberWith('gus@example.com');
  expect(await detailOf(await post(`/v1/members/${uuid}`, { role: 'admin' }, byToken()))).toEqual([
    409,
    'The role of this member is that of a group of their account. Change it there.',
  ]);
});

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
    expect((await remove(`/v1/members/${uuid}`, byToken())).status).toBe(204);
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
    const refused = [
      409,
      'This is the last admin of the workspace who can sign in. Make somebody else an admin first.',
    ];
    expect(await detailOf(await remove(`/v1/members/${uuid}`, ann))).toEqual(refused);
    expect(await detailOf(await post(`/v1/members/${uuid}`, { role: 'read' }, ann))).toEqual(refused);
    const bob = await newPerson(place.service, place.workspace, 'admin', 'bob@example.com');
    expect((await remove(`/v1/members/${uuid}`, ann)).status).toBe(204);
    const last = await memberWith('bob@example.com');
    expect((await remove(`/v1/members/${last.uuid}`, bob)).status).toBe(409);
    expect((await remove(`/v1/members/${last.uuid}`, byToken())).status).toBe(204);
  });
});

describe('a session of a person', () => {
  test('ends after half an hour without a request', async () => {
    const ann = await newPerson(place.service, place.workspace, 'read');
    place.service.clock.now += IDLE_TIMEOUT_MS - 1;
    expect((await call('/session', ann)).status).toBe(200);
    await expect.poll(async () => (await sessions(byToken())).length).toBe(1);
    place.service.clock.now += IDLE_TIMEOUT_MS;
    expect((await call('/session', ann)).status).toBe(401);
  });

  test('tells to the minute when they were here', async () => {
    const ann = await newPerson(place.service, place.workspace, 'read', 'ann@example.com');
    expect((await memberWith('ann@example.com')).last_seen_at).toBeNull();
    place.service.clock.now += 90_000;
    await call('/v1/domains', ann);
    const at = new Date(place.service.clock.now - (place.service.clock.now % 60_000)).toISOString();
    await expect.poll(async () => (await memberWith('ann@example.com')).last_seen_at).toBe(at);
  });
});

describe('a token', () => {
  test('is not made with a name that nobody can read', async () => {
    expect(await detailOf(await post('/v1/tokens', { name: 'a\u202eb', role: 'read' }, byToken()))).toEqual([
      422,
      'name holds characters that nobody can see.',
    ]);
  });

  test('that has expired already is not made', async () => {
    const expires_at = new Date(place.service.clock.now).toISOString();
    expect(await detailOf(await post('/v1/tokens', { name: 'old', role: 'read', expires_at }, byToken()))).toEqual([
      422,
      'The token would have expired already.',
    ]);
  });
});

test('without a provider there is no account to sign in with', async () => {
  expect((await place.service.call(ACCOUNT_SIGN_IN_PATH)).status).toBe(404);
  expect(await get('/session', {})).toEqual({
    data: null,
    sign_in: { token: true, account: null, account_sign_out: null },
  });
});
