import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GATEWAY_PROBLEM, Problem } from '#contract/problem.ts';
import { callAt, type CallInit } from '../testing/testService.ts';
import { startTestGateway, type TestGateway } from '../testing/testGateway.ts';
import {
  type AnswerScript,
  JSON_TYPE,
  ok,
  says,
  startTestUpstream,
  type TestUpstream,
} from '../testing/testUpstream.ts';

// The upstream misbehaves: nothing of that is ever passed on as a response of the service.

const BYTES = 200_000;
/** Milliseconds that this gateway waits for a response. */
const HASTY = { responseTimeoutMs: 200, totalTimeoutMs: 300 };

let upstream: TestUpstream;
let gateway: TestGateway;
let hasty: TestGateway;
beforeAll(async () => {
  upstream = await startTestUpstream();
  gateway = await startTestGateway({ upstream: `${upstream.url}/base/`, limits: { maxBytes: BYTES } });
  hasty = await startTestGateway({ upstream: upstream.url, limits: HASTY });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await hasty[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const call = (path: string, init: CallInit = {}) => callAt(gateway.url, path, { token: 't0ken', ...init });
const signIn = () =>
  callAt(gateway.url, '/session', { method: 'POST', json: { token: 't0ken' }, headers: { 'sendroom-console': '1' } });

const PACKED = `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n`;

async function problemOf(response: Response): Promise<Problem> {
  expect(response.headers.get('via')).toBeNull();
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  return Problem.parse(await response.json());
}

const failures: [name: string, fault: string, status: number, script: AnswerScript][] = [
  ['a redirect to somebody else', 'redirect', 502, says(['307 Moved', 'location: http://127.0.0.1:1/'])],
  ['a web page', 'unreadable', 502, says(['200 OK', 'content-type: text/html'], '<h1>Sign in</h1>')],
  ['data of another type', 'unreadable', 502, says(['200 OK', 'content-type: text/json-but-not'], '{}')],
  ['too many bytes, and says so', 'too-large', 502, says(['200 OK', JSON_TYPE, 'content-length: 200001'])],
  ['no HTTP', 'unreadable', 502, (socket) => void socket.end('220 mail.example ESMTP\r\n')],
  ['endless headers', 'unreadable', 502, (socket) => endless(socket, 'HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n')],
  ['a part of the data', 'unreadable', 502, says(['206 Partial Content', JSON_TYPE], '{}')],
  ['a wish for a proxy password', 'unreadable', 502, says(['407 Proxy', 'proxy-authenticate: Basic'], '{}')],
  ['data that is packed and broken', 'unreadable', 502, says(['200 OK', JSON_TYPE, 'content-encoding: gzip'], '{}')],
  ['two lengths', 'unreadable', 502, says(['200 OK', JSON_TYPE, 'content-length: 2', 'content-length: 3'], '{}')],
  ['another protocol', 'broken', 502, says(['101 Switching Protocols', 'upgrade: x', 'connection: upgrade'])],
  ['a reset', 'broken', 502, (socket) => void socket.resetAndDestroy()],
  ['nothing, for long', 'timeout', 504, () => {}],
  ['hints without an end', 'timeout', 504, (socket) => drip(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10))],
  ['its head, one byte at a time', 'timeout', 504, (socket) => drip(socket, ok(2))],
];

function endless(socket: Socket, first: string, more: string): void {
  const rest = more.repeat(1000);
  const go = () => {
    while (socket.writable && socket.write(rest));
  };
  socket.on('drain', go);
  socket.write(first);
  go();
}

function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => {
    if (text === '' || !socket.writable) return clearInterval(timer);
    socket.write(text.slice(0, 1));
    text = text.slice(1);
  }, 50);
}

test.each(failures)('%s is no answer: %s', async (_, fault, status, script) => {
  upstream.answer(script);
  const { url, log } = fault === 'timeout' ? hasty : gateway;
  const response = await callAt(url, '/v1/domains', { token: 't0ken' });
  expect(response.status).toBe(status);
  const problem = await problemOf(response);
  expect(problem.type).toBe(GATEWAY_PROBLEM + fault);
  expect(problem.detail).not.toContain('not known');
  expect(upstream.received).toHaveLength(1);
  expect(log.join('')).toContain(`"fault":"${fault}"`);
  await expect.poll(upstream.connections).toBe(0);
});

test('a sign-in that fails is found in the log by the id that the person is told', async () => {
  upstream.answer((socket) => void socket.end());
  const { request_id } = await problemOf(await signIn());
  expect(gateway.log.filter((line) => line.includes(request_id)).join('')).toContain('"fault":"broken"');
});

test('of a write it is said when nobody knows whether it was done', async () => {
  upstream.answer((socket) => void socket.resetAndDestroy());
  const written = await call('/v1/contacts/x', { method: 'POST', json: { attributes: {} } });
  expect((await problemOf(written)).detail).toContain('It may or may not have taken effect.');
  expect(upstream.received, 'and it is not sent again').toHaveLength(1);

  const gone = await startTestUpstream();
  await gone[Symbol.asyncDispose]();
  await using nowhere = await startTestGateway({ upstream: gone.url });
  const unsent = await callAt(nowhere.url, '/v1/contacts/x', { token: 't', method: 'POST', json: { attributes: {} } });
  const problem = await problemOf(unsent);
  expect(problem).toMatchObject({ status: 502, type: `${GATEWAY_PROBLEM}unreachable` });
  expect(problem.detail).not.toContain('not known');
});

const partial: [name: string, script: AnswerScript, at?: 'hasty'][] = [
  ['fewer bytes than it says', (socket) => void socket.end(`${ok(100)}{"data":`)],
  ['a reset in the middle', (socket) => socket.write(`${ok(100)}{"data":`, () => socket.resetAndDestroy())],
  [
    'chunks without an end',
    (socket) => void socket.end(`HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"dat\r\n`),
  ],
  ['a body that stops', (socket) => void socket.write(`${ok(100)}{"data":`), 'hasty'],
  ['a body without an end', (socket) => endless(socket, `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n\r\n`, '[[[[[[[[[[')],
  [
    'a packed body that grows',
    (socket) => void socket.end(Buffer.concat([Buffer.from(PACKED), gzipSync(Buffer.alloc(50_000_000))])),
  ],
  ['a body a byte at a time', (socket) => socket.write(ok(1000), () => drip(socket, ' '.repeat(1000))), 'hasty'],
];

test.each(partial)('%s: the connection breaks, so that nobody takes a part for the whole', async (_, script, at) => {
  upstream.answer(script);
  const { url, log } = at === 'hasty' ? hasty : gateway;
  log.length = 0;
  const response = await callAt(url, '/v1/domains', { token: 't0ken' });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  const isSaid = /"fault":"(broken|timeout|too-large)"[^]*"response aborted"/;
  await expect.poll(() => log.join('')).toMatch(isSaid);
  await expect.poll(upstream.connections).toBe(0);
});

test('a caller who goes away takes the call along', async () => {
  upstream.answer(() => {});
  const leaving = new AbortController();
  const response = call('/v1/domains', { signal: leaving.signal });
  await expect.poll(() => upstream.received.length).toBe(1);
  leaving.abort();
  await expect(response).rejects.toThrow('aborted');
  await expect.poll(upstream.connections).toBe(0);
});

test('a gateway that leads to itself says so', async () => {
  upstream.answer(says(['200 OK', JSON_TYPE], '{}'));
  await call('/v1/domains');
  const via = /^via: (.*)\r$/im.exec(upstream.received[0] ?? '')?.[1] ?? '';
  const back = await call('/v1/domains', { headers: { via: `1.1 some-proxy, ${via}` } });
  expect(await problemOf(back)).toMatchObject({ status: 508, type: `${GATEWAY_PROBLEM}loop` });
});

test('an answer that nobody asked for reaches nobody', async () => {
  upstream.answer((socket) => void socket.write(`${ok(2)}{}${ok(6)}"mine"`));
  const texts = await Promise.all([1, 2, 3, 4].map(async () => (await call('/v1/domains')).text()));
  expect(new Set(texts)).toEqual(new Set(['{}']));
  expect(await (await call('/v1/domains')).text()).toBe('{}');
});

test('a certificate that nobody signed, and a port that does not speak TLS', async () => {
  await using tls = await startTestUpstream({ isTls: true });
  tls.answer(says(['200 OK', JSON_TYPE], '{}'));
  const plain = createServer((socket) => void socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = plain.address() as AddressInfo;
  for (const url of [tls.url, `https://127.0.0.1:${port}`]) {
    await using distrusting = await startTestGateway({ upstream: url });
    const problem = await problemOf(await callAt(distrusting.url, '/v1/domains', { token: 't' }));
    expect(problem).toMatchObject({ status: 502, type: `${GATEWAY_PROBLEM}tls` });
  }
  expect(tls.received).toEqual([]);
  plain.close();
});

const signIns: [name: string, status: number, script: AnswerScript][] = [
  ['no list of domains', 502, says(['200 OK', JSON_TYPE], '{"hello":"world"}')],
  ['nothing but empty objects', 502, says(['200 OK', JSON_TYPE], `{"data":[${'{},'.repeat(100_000)}{}]}`)],
  ['an error', 502, says(['500 Internal Server Error', JSON_TYPE], '{}')],
  ['no access', 403, says(['403 Forbidden', JSON_TYPE], '{}')],
  ['too much', 429, says(['429 Too Many Requests', JSON_TYPE, 'retry-after: 9'], '{}')],
];
test.each(signIns)('to sign in where there is %s fails with %i', async (_, status, script) => {
  upstream.answer(script);
  const response = await signIn();
  expect(response.status).toBe(status);
  expect(response.headers.getSetCookie()).toEqual([]);
  expect((await problemOf(response)).detail).toMatch(/gateway/);
});

test('a list of domains without an end is walked no further than it goes on', async () => {
  const page = {
    data: [{ uuid: 'a', name: 'a.test' }],
    meta: { current_page: 1, per_page: 1, total: 2, last_page: 2, has_next: true },
  };
  upstream.answer(says(['200 OK', JSON_TYPE], JSON.stringify(page)));
  const response = await call('/v1/domains/b/check', { method: 'POST' });
  expect((await problemOf(response)).detail).toContain('too many domains to search');
  expect(upstream.received.length).toBe(2);
});
