import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';

// The owner of a token can sign in any number of times. That must not fill the database, nor affect others.

const CONSOLE = { 'sendroom-console': '1' };
/** The maximum number of sessions of a token. */
const SESSIONS = 20;
const LIMIT = 30;

let service: TestService;
let own: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own, other] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

const signIn = (at: TestService, json: unknown) => at.call('/session', { method: 'POST', json, headers: CONSOLE });

async function cookieFor(token: string): Promise<string> {
  service.clock.now += 1;
  const response = await signIn(service, { token });
  expect(response.status).toBe(200);
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

async function statusWith(cookie: string): Promise<number> {
  return (await service.call('/session', { headers: { ...CONSOLE, cookie } })).status;
}

const rows = () => service.database.unscoped.kysely.selectFrom('sessions').select(['hash', 'workspace_id']).execute();

test('a token has twenty sessions: the oldest of its own go, and no session of another', async () => {
  const before = await cookieFor(other.token);
  const cookies: string[] = [];
  for (let count = 0; count < SESSIONS + 5; count++) cookies.push(await cookieFor(own.token));
  const statuses = await Promise.all(cookies.map(statusWith));
  expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(SESSIONS).fill(200)]);
  expect(await statusWith(before)).toBe(200);
});

test('also when many sign in at once', async () => {
  const answers = await Promise.all(Array.from({ length: 3 * SESSIONS }, () => signIn(service, { token: own.token })));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const ofOwn = (await rows()).filter(({ workspace_id }) => workspace_id === own.workspace.id);
  expect(ofOwn).toHaveLength(SESSIONS);
});

test('sign-ins count with the writes of the token', async () => {
  await using limited = await startTestService({ settings: { RATE_LIMIT: String(LIMIT) } });
  const [mine, theirs] = await createTwinTenants(limited.database, limited.clock.now);
  const unsubscribe = () =>
    limited.call(`/v1/workspaces/${mine.workspace.uuid}/contacts/${mine.contact}/unsubscribe`, {
      method: 'POST',
      token: mine.token,
    });
  for (let count = 0; count < LIMIT - 1; count++)
    expect((await signIn(limited, { token: mine.token })).status).toBe(200);
  expect((await unsubscribe()).status).toBe(200);

  const refused = await signIn(limited, { token: mine.token });
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([429, []]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await unsubscribe()).status).toBe(429);
  expect((await limited.call('/v1/domains', { token: mine.token })).status).toBe(200);
  expect((await signIn(limited, { token: theirs.token })).status).toBe(200);
});

/** The maximum length of the body of a sign-in. */
const BODY = 8 * 1024;

const signInWith = (length: number) =>
  service.call('/session', {
    method: 'POST',
    body: JSON.stringify({ token: own.token }).padEnd(length),
    headers: { ...CONSOLE, 'content-type': 'application/json' },
  });

test('a sign-in has a body of 8 KiB at most', async () => {
  expect((await signInWith(BODY)).status).toBe(200);
  const refused = await signInWith(BODY + 1);
  expect(refused.status).toBe(413);
  expect(Problem.parse(await refused.json()).detail).toBe('The body is larger than 8 KiB.');
});

/** A service to which all calls come from one address. */
const startOneAddress = () => startTestService({ settings: { RATE_LIMIT: '0', TRUST_PROXY: '' } });

test('a sign-in that fails at its body counts as a failed authentication', async () => {
  await using single = await startOneAddress();
  const [mine] = await createTwinTenants(single.database, single.clock.now);
  const send = (body: string, type = 'application/json') =>
    single.call('/session', { method: 'POST', body, headers: { ...CONSOLE, 'content-type': type } });
  for (let count = 0; count < 15; count++) {
    expect((await send('{')).status).toBe(400);
    expect((await send(' '.repeat(BODY + 1))).status).toBe(413);
    expect((await send('{}')).status).toBe(422);
    expect((await send('{}', 'text/plain')).status).toBe(415);
  }
  const refused = await send('{');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(' '.repeat(BODY + 1))).status).toBe(429);
  expect((await single.call('/v1/domains', { token: 'wrong' })).status).toBe(429);
  expect((await signIn(single, { token: mine.token })).status).toBe(200);
});

test('a session cookie that opens nothing counts as a failed authentication, and none at all does not', async () => {
  await using single = await startOneAddress();
  const [mine] = await createTwinTenants(single.database, single.clock.now);
  const cookie = (await signIn(single, { token: mine.token })).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const ask = async (headers: Record<string, string>) =>
    (await single.call('/session', { headers: { ...CONSOLE, ...headers } })).status;
  for (let count = 0; count < 70; count++) expect(await ask({})).toBe(200);
  for (let count = 0; count < 60; count++) expect(await ask({ cookie: `sendroom=invented${count}` })).toBe(401);
  expect(await ask({ cookie: 'sendroom=invented' })).toBe(429);
  expect(await ask({ cookie })).toBe(200);
  expect(await ask({})).toBe(200);
});
