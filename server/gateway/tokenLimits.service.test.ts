import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callAt, type CallInit } from '../testing/testService.ts';
import { startTestGateway, type TestGateway } from '../testing/testGateway.ts';

// Only the service knows which token is valid. A caller that tries many is stopped here, and many sessions of one token
// do not affect others.

const CONSOLE = { 'sendroom-console': '1' };
const FAILURES = 60;
const ATTEMPTS = 150;
const SESSIONS_OF_TOKEN = 20;

const PAGE = JSON.stringify({
  data: [],
  meta: { current_page: 1, per_page: 1, total: 0, last_page: 1, has_next: false },
});

/** Tokens in the order in which they reached the service, which accepts those that begin with "good". */
const reached: string[] = [];
/** While it is set, the service does not answer. */
let pause: Promise<void> | null = null;
const upstream = createServer((request, response) => {
  const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
  reached.push(token);
  void Promise.resolve(pause).then(() => {
    response.writeHead(token.startsWith('good') ? 200 : 401, { 'content-type': 'application/json' });
    response.end(token.startsWith('good') ? PAGE : '{}');
  });
});

let url: string;
let gateway: TestGateway;
beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(async () => {
  reached.length = 0;
  // Callers have addresses of their own, as behind a proxy.
  gateway = await startTestGateway({ upstream: url, settings: { TRUST_PROXY: '127.0.0.1' } });
  return () => gateway[Symbol.asyncDispose]();
});

const from = (address: string, headers: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...headers });
const call = (path: string, init: CallInit) => callAt(gateway.url, path, init);
const list = async (token: string, address: string) =>
  (await call('/v1/domains', { token, headers: from(address) })).status;
const signIn = (token: string, address: string, headers = {}) =>
  call('/session', { method: 'POST', json: { token }, headers: from(address, { ...CONSOLE, ...headers }) });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const statusWith = async (cookie: string) => (await call('/session', { headers: { ...CONSOLE, cookie } })).status;

const ATTACKER = '192.0.2.1';
const tries: [name: string, attempt: (index: number) => Promise<unknown>][] = [
  ['another token each time', (index) => list(`bad${index}`, ATTACKER)],
  ['one token again and again', () => list('bad', ATTACKER)],
  ['sign-ins', (index) => signIn(`bad${index}`, ATTACKER)],
  ['an address of one IPv6 network each time', (index) => list(`bad${index}`, `2001:db8:0:1::${index.toString(16)}`)],
  [
    'the DNS check',
    (index) => call('/v1/domains/x/check', { method: 'POST', token: `bad${index}`, headers: from(ATTACKER) }),
  ],
];

test.each(tries)('of many wrong tokens few reach the service: %s, all at once', async (_, attempt) => {
  await Promise.all(Array.from({ length: ATTEMPTS }, (__, index) => attempt(index)));
  expect(reached).toHaveLength(FAILURES);
});

test.each(tries)('of many wrong tokens few reach the service: %s, one by one', async (_, attempt) => {
  for (let index = 0; index < ATTEMPTS; index++) await attempt(index);
  expect(reached).toHaveLength(FAILURES);
});

test('a token that the service took before passes from that address, and a new one from every other', async () => {
  expect(await list('good-old', ATTACKER)).toBe(200);
  const session = cookieOf(await signIn('good-session', ATTACKER));
  await Promise.all(Array.from({ length: ATTEMPTS }, (_, index) => list(`bad${index}`, ATTACKER)));
  reached.length = 0;

  expect(await list('good-old', ATTACKER)).toBe(200);
  const headers = from(ATTACKER, { ...CONSOLE, cookie: session });
  expect((await call('/v1/domains', { headers })).status).toBe(200);
  expect(await list('good-new', '192.0.2.2')).toBe(200);
  expect(reached).toEqual(['good-old', 'good-session', 'good-new']);

  const refused = await signIn('good-newer', ATTACKER);
  expect([refused.status, reached.length]).toEqual([429, 3]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a token that the service took is new again once it is refused', async () => {
  expect(await list('good', ATTACKER)).toBe(200);
  for (let index = 0; index < FAILURES; index++) await list(`bad${index}`, ATTACKER);
  expect(await list('good', ATTACKER)).toBe(200);
});

test('many calls at once with one new and good token all pass, and so do many new ones', async () => {
  const release = Promise.withResolvers<void>();
  pause = release.promise;
  const calls = Array.from({ length: 100 }, () => list('good', '192.0.2.3'));
  const others = Array.from({ length: 100 }, (_, index) => list(`good${index}`, '192.0.2.4'));
  await expect.poll(() => reached.length).toBe(2 * FAILURES);
  release.resolve();
  pause = null;
  expect(new Set(await Promise.all([...calls, ...others]))).toEqual(new Set([200]));
});

test('a token has twenty sessions, the oldest go first, and those of others stay', async () => {
  const before = cookieOf(await signIn('good-other', '192.0.2.5'));
  const cookies: string[] = [];
  for (let count = 0; count < SESSIONS_OF_TOKEN + 5; count++) {
    cookies.push(cookieOf(await signIn('good-own', '192.0.2.6')));
    // Using a session does not make it younger.
    if (count < SESSIONS_OF_TOKEN) expect(await statusWith(cookies[0] ?? '')).toBe(200);
  }
  const statuses = await Promise.all(cookies.map(statusWith));
  expect(statuses).toEqual([...Array<number>(5).fill(401), ...Array<number>(SESSIONS_OF_TOKEN).fill(200)]);
  expect(await statusWith(before)).toBe(200);
});

test('sign-ins count with the writes of the token, before they reach the service', async () => {
  await using limited = await startTestGateway({ upstream: url, settings: { RATE_LIMIT: '30' } });
  const attempt = (token: string) =>
    callAt(limited.url, '/session', { method: 'POST', json: { token }, headers: CONSOLE });
  for (let count = 0; count < 30; count++) expect((await attempt('good')).status).toBe(200);
  expect((await attempt('good')).status).toBe(429);
  expect(reached).toHaveLength(30);
  const init = { method: 'POST', token: 'good', json: { attributes: {} } };
  expect((await callAt(limited.url, '/v1/contacts/x', init)).status).toBe(429);
  expect((await callAt(limited.url, '/v1/domains', { token: 'good' })).status).toBe(200);
  expect((await attempt('good-other')).status).toBe(200);
});
