import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../testing/processes/rawHttp.ts';
import { callAt, type CallInit } from '../testing/testService.ts';
import { startTestGateway, type TestGateway } from '../testing/testGateway.ts';
import {
  type AnswerScript,
  JSON_TYPE,
  NO_DOMAINS,
  ok,
  says,
  startTestUpstream,
  type TestUpstream,
} from '../testing/testUpstream.ts';

// What of a call goes to the service, and what of its response comes back; and who may call how often.

const CONSOLE = { 'sendroom-console': '1' };

let upstream: TestUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await startTestUpstream();
  // Callers have addresses of their own, as behind a proxy.
  gateway = await startTestGateway({ upstream: `${upstream.url}/base/`, settings: { TRUST_PROXY: '127.0.0.1' } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const call = (path: string, init: CallInit = {}) => callAt(gateway.url, path, { token: 't0ken', ...init });

test('what goes there is the call and nothing else of the caller', async () => {
  upstream.answer(says(['200 OK', JSON_TYPE], '{}'));
  await call('/v1/domains?search=a%26b&page=2#x', {
    headers: {
      cookie: 'sendroom=secret',
      forwarded: 'for=10.0.0.1',
      'proxy-authorization': 'Basic eDp5',
      'x-http-method-override': 'DELETE',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'evil.example',
      te: 'trailers',
      origin: 'https://evil.example',
      referer: 'https://console.example/contacts/jane',
      'x-anything': 'else',
      accept: 'text/html',
    },
  });
  const [head = ''] = upstream.received;
  expect(head).toMatch(/^GET \/base\/v1\/domains\?search=a%26b&page=2 HTTP\/1\.1\r\n/);
  expect(head).toMatch(/^authorization: Bearer t0ken\r$/im);
  expect(head).toContain(`\r\nhost: ${new URL(upstream.url).host}\r\n`);
  expect(head).toMatch(/^accept: application\/json\r$/im);
  const names = [...head.matchAll(/^([\w-]+): /gm)].map(([, name = '']) => name.toLowerCase());
  const fromNode = ['accept-language', 'connection', 'host', 'sec-fetch-mode'];
  const own = ['accept', 'accept-encoding', 'authorization', 'content-type', 'user-agent', 'via'];
  expect(names.toSorted()).toEqual([...fromNode, ...own].toSorted());
});

test('a request whose end nobody can tell never goes there', async () => {
  upstream.answer(says(['200 OK', JSON_TYPE], '{}'));
  const before = upstream.received.length;
  const head = 'GET /v1/domains HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t0ken\r\nConnection: close\r\n';
  const { status } = await sendRaw(Number(new URL(gateway.url).port), `${head}Transfer-Encoding: xchunked\r\n\r\n`);
  expect([status, upstream.received.length - before]).toEqual([400, 0]);
});

test('what comes back is the answer and nothing else of the service', async () => {
  upstream.answer(
    says(
      [
        '429 Too Many Requests',
        'content-type: application/vnd.acme+json; charset=utf-8',
        'retry-after: 7',
        'x-request-id: there-1',
        'set-cookie: a=b',
        'clear-site-data: "*"',
        'access-control-allow-origin: *',
        'content-security-policy: script-src *',
        'strict-transport-security: max-age=0',
        'location: https://evil.example',
        'proxy-authenticate: Basic',
        'alt-svc: h3=":443"',
        'set-cookie2: a=b',
        'upgrade: h2c',
        'keep-alive: timeout=5',
        'server: acme/1.0',
        'x-powered-by: acme',
      ],
      '{"slow":true}',
    ),
  );
  const response = await call('/v1/domains');
  expect(response.status).toBe(429);
  expect(await response.json()).toEqual({ slow: true });
  const headers = Object.fromEntries(response.headers);
  expect(headers).toMatchObject({
    'content-type': 'application/vnd.acme+json; charset=utf-8',
    'retry-after': '7',
    'x-request-id': 'there-1',
    via: expect.stringMatching(/^1\.1 sendroom-/) as string,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
  const own = Object.keys(Object.fromEntries((await fetch(`${gateway.url}/v1/domains`)).headers));
  const more = Object.keys(headers).filter((name) => !own.includes(name));
  expect(more.toSorted()).toEqual(['retry-after', 'transfer-encoding', 'via']);
});

test('what the service says to the gateway alone stays there', async () => {
  upstream.answer((socket) => {
    socket.end(
      `${ok(2).trimEnd()}\r\nretry-after: 7\r\nx-request-id: there-1\r\nconnection: Retry-After, x-request-id\r\n\r\n{}`,
    );
  });
  const { headers } = await call('/v1/domains');
  expect(headers.get('retry-after')).toBeNull();
  expect(headers.get('x-request-id')).not.toBe('there-1');
});

test.each([
  ['the token', 'Bearer t0ken'],
  ['the token alone', 'a-t0ken-b'],
  ['more than an id', 'x'.repeat(129)],
  ['signs that no id has', 'caf\u00e9 \u00ff'],
])('what the service calls a request is not passed on where it holds %s', async (_, id) => {
  upstream.answer(says(['200 OK', JSON_TYPE, `x-request-id: ${id}`], '{}'));
  const { status, headers } = await call('/v1/domains');
  expect(status).toBe(200);
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('a browser is never asked for a password: the only way in is a token', async () => {
  for (const challenge of ['www-authenticate: Basic realm="acme"', 'x-none: x']) {
    upstream.answer(says(['401 Unauthorized', JSON_TYPE, challenge], '{}'));
    const { status, headers } = await call('/v1/domains');
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
  }
});

test('an error that is a web page keeps its status and loses its page', async () => {
  upstream.answer(
    says(['503 Service Unavailable', 'content-type: text/html', 'retry-after: 3'], '<script>x()</script>'),
  );
  const response = await call('/v1/domains');
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '3', '']);
  expect(response.headers.get('content-type')).toBeNull();
});

test('a long answer passes through at the pace of its reader', async () => {
  const size = 12 * 1024 * 1024;
  let sent = 0;
  upstream.answer((socket) => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const go = () => {
      while (sent < size && socket.writable) {
        sent += chunk.length;
        if (!socket.write(chunk)) return;
      }
    };
    socket.on('drain', go);
    socket.write(ok(size));
    go();
  });
  const response = await call('/v1/domains');
  const reader = response.body?.getReader();
  let read = (await reader?.read())?.value?.length ?? 0;
  expect(sent, 'nobody has read it yet').toBeLessThan(size);
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) read += part.value.length;
  expect(read).toBe(size);
});

test('a sign-in asks the service for domains, and for nothing that it may not have', async () => {
  upstream.answer(says(['200 OK', JSON_TYPE], NO_DOMAINS));
  const headers = CONSOLE;
  const signedIn = await callAt(gateway.url, '/session', {
    method: 'POST',
    json: { token: 't', workspace: 'w' },
    headers,
  });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const session = await callAt(gateway.url, '/session', { headers: { ...headers, cookie } });
  expect(await session.json()).toMatchObject({ data: { workspace_uuid: 'w', name: null } });
  expect(upstream.received.map((head) => head.split(/[ ?]/)[1])).toEqual(['/base/v1/domains']);
});

test('no token, cookie, identity, search or body is in the log at its most talkative, whatever goes wrong', async () => {
  await using talkative = await startTestGateway({ upstream: upstream.url, settings: { LOG_LEVEL: 'trace' } });
  const [token, canary] = ['t0kenCanary', 'kanarienvogel'];
  const send = (path: string, init: CallInit) =>
    callAt(talkative.url, path, { token, ...init, headers: { 'x-canary': canary, cookie: `sendroom=${canary}` } });
  for (const script of [says(['200 OK', JSON_TYPE], '{}'), says(['401 Unauthorized']), says(['200 OK'], canary)]) {
    upstream.answer(script);
    await send(`/v1/contacts/${canary}/events?search=${canary}`, {});
    await send(`/v1/contacts/${canary}%zz`, {});
    await send(`/v1/contacts/${canary}`, { method: 'POST', json: { attributes: { email: canary } } });
    await send('/session', { method: 'POST', json: { token: canary } });
    await send(`/v1/domains/${canary}/check`, { method: 'POST' });
  }
  upstream.answer((socket) => void socket.destroy());
  expect((await send(`/v1/contacts/${canary}/events`, {})).status).toBe(502);
  const log = talkative.log.join('');
  expect(log).toContain('no response from the service behind the gateway');
  expect(log).not.toContain(token);
  expect(log).not.toContain(canary);
});

const FAILURES = 60;
const answerByToken: AnswerScript = (socket, head) => {
  const isGood = /^authorization: Bearer good/im.test(head);
  says([isGood ? '200 OK' : '401 Unauthorized', JSON_TYPE], isGood ? NO_DOMAINS : '{}')(socket, head);
};
const from = (address: string, path: string, { headers, ...init }: CallInit) =>
  callAt(gateway.url, path, { ...init, headers: { ...CONSOLE, 'x-forwarded-for': address, ...headers } });

/** Only the service knows which token is valid: here those that begin with "good". Which tries count is in unverifiedTokenLimiter.test.ts. */
describe('a caller that tries many tokens', () => {
  test.each<[string, string, (address: string, token: string) => Promise<Response>]>([
    ['lists', '192.0.2.1', (address, token) => from(address, '/v1/domains', { token })],
    ['sign-ins', '192.0.2.2', (address, token) => from(address, '/session', { method: 'POST', json: { token } })],
    ['DNS checks', '192.0.2.3', (address, token) => from(address, '/v1/domains/x/check', { method: 'POST', token })],
  ])('of many wrong tokens few reach the service: %s', async (_, address, attempt) => {
    upstream.answer(answerByToken);
    const list = async (token: string, by = address) => (await from(by, '/v1/domains', { token })).status;
    const signIn = (token: string) => from(address, '/session', { method: 'POST', json: { token } });
    expect(await list('good-old')).toBe(200);
    const cookie = (await signIn('good-session')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const before = upstream.received.length;
    await Promise.all(Array.from({ length: FAILURES + 20 }, (__, index) => attempt(address, `bad${index}`)));
    expect(upstream.received.length - before).toBe(FAILURES);

    expect(await list('good-old')).toBe(200);
    expect((await from(address, '/v1/domains', { headers: { cookie } })).status).toBe(200);
    expect(await list('good-new', `${address}0`)).toBe(200);
    const refused = await signIn('good-newer');
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('sign-ins count with the writes of the token, before they reach the service', async () => {
    upstream.answer(answerByToken);
    await using limited = await startTestGateway({ upstream: upstream.url, settings: { RATE_LIMIT: '3' } });
    const attempt = async (token: string) =>
      (await callAt(limited.url, '/session', { method: 'POST', json: { token }, headers: CONSOLE })).status;
    for (const status of [200, 200, 200, 429]) expect(await attempt('good')).toBe(status);
    expect(upstream.received).toHaveLength(3);
    const write = { method: 'POST', token: 'good', json: { attributes: {} } };
    expect((await callAt(limited.url, '/v1/contacts/x', write)).status).toBe(429);
    expect((await callAt(limited.url, '/v1/domains', { token: 'good' })).status).toBe(200);
    expect(await attempt('good-other')).toBe(200);
  });
});
