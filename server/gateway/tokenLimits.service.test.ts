import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callAt, type CallInit } from '../testing/testService.ts';
import { startTestGateway, type TestGateway } from '../testing/testGateway.ts';
import { JSON_TYPE, NO_DOMAINS, says, startTestUpstream, type TestUpstream } from '../testing/testUpstream.ts';

// Only the service knows which token is valid. A caller that tries many is stopped here: what counts is in
// unverifiedTokenLimiter.test.ts.

const CONSOLE = { 'sendroom-console': '1' };
const FAILURES = 60;
const ATTACKER = '192.0.2.1';

let upstream: TestUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startTestUpstream();
});
afterAll(() => upstream[Symbol.asyncDispose]());
beforeEach(async () => {
  // Accepts tokens that begin with "good".
  upstream.answer((socket, head) => {
    const isGood = /^authorization: Bearer good/im.test(head);
    says([isGood ? '200 OK' : '401 Unauthorized', JSON_TYPE], isGood ? NO_DOMAINS : '{}')(socket, head);
  });
  // Callers have addresses of their own, as behind a proxy.
  gateway = await startTestGateway({ upstream: upstream.url, settings: { TRUST_PROXY: '127.0.0.1' } });
  return () => gateway[Symbol.asyncDispose]();
});

const call = (path: string, init: CallInit, address = ATTACKER) =>
  callAt(gateway.url, path, { ...init, headers: { 'x-forwarded-for': address, ...init.headers } });
const list = async (token: string, address?: string) => (await call('/v1/domains', { token }, address)).status;
const signIn = (token: string) => call('/session', { method: 'POST', json: { token }, headers: CONSOLE });

test.each<[string, (token: string) => Promise<unknown>]>([
  ['lists', (token) => list(token)],
  ['sign-ins', signIn],
  ['DNS checks', (token) => call('/v1/domains/x/check', { method: 'POST', token })],
])('of many wrong tokens few reach the service: %s', async (_, attempt) => {
  expect(await list('good-old')).toBe(200);
  const cookie = (await signIn('good-session')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const before = upstream.received.length;
  await Promise.all(Array.from({ length: FAILURES + 20 }, (__, index) => attempt(`bad${index}`)));
  expect(upstream.received.length - before).toBe(FAILURES);

  expect(await list('good-old')).toBe(200);
  expect((await call('/v1/domains', { headers: { ...CONSOLE, cookie } })).status).toBe(200);
  expect(await list('good-new', '192.0.2.2')).toBe(200);
  const refused = await signIn('good-newer');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(upstream.received.length - before).toBe(FAILURES + 3);
});

test('sign-ins count with the writes of the token, before they reach the service', async () => {
  await using limited = await startTestGateway({ upstream: upstream.url, settings: { RATE_LIMIT: '3' } });
  const attempt = async (token: string) =>
    (await callAt(limited.url, '/session', { method: 'POST', json: { token }, headers: CONSOLE })).status;
  for (let count = 0; count < 3; count++) expect(await attempt('good')).toBe(200);
  expect(await attempt('good')).toBe(429);
  expect(upstream.received).toHaveLength(3);
  const write = { method: 'POST', token: 'good', json: { attributes: {} } };
  expect((await callAt(limited.url, '/v1/contacts/x', write)).status).toBe(429);
  expect((await callAt(limited.url, '/v1/domains', { token: 'good' })).status).toBe(200);
  expect(await attempt('good-other')).toBe(200);
});
