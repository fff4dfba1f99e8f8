import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../testing/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';

// Messages that no usual client sends: each is answered or closed, and has no effect.

let dist: string;
let service: TestService;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'sendroom-dist-'));
  await writeFile(join(dist, 'index.html'), '<!doctype html>');
  service = await startTestService({ consoleDir: dist });
});
afterEach(async () => {
  expect((await service.call('/healthz')).status).toBe(200);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dist, { recursive: true });
});

const HEALTH = 'GET /healthz HTTP/1.1\r\nConnection: close\r\n';
const SIGN_IN = 'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\n';

test.each<[status: number, what: string, request: string]>([
  [200, 'a host of IPv6 with a port', `${HEALTH}Host: [::1]:4600\r\n\r\n`],
  [200, 'a host with a port', `${HEALTH}Host: console.example.com:4600\r\n\r\n`],
  [200, 'an empty host, which an address without one has', `${HEALTH}Host:\r\n\r\n`],
  [200, 'a whole URL as the address', `GET http://x/healthz HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n`],
  [200, 'an upgrade', `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: h2c\r\n\r\n`],
  [200, 'headers of a WebSocket', `${HEALTH}Host: x\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`],
  [404, 'OPTIONS of everything', 'OPTIONS * HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [404, 'TRACE', 'TRACE / HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [400, 'no version', 'GET /healthz\r\n\r\n'],
  [400, 'a version of HTTP that is another protocol', 'GET /healthz HTTP/2.0\r\nConnection: close\r\nHost: x\r\n\r\n'],
])('%i, %s', async (status, _, request) => {
  const answer = await sendRaw(service.port, latin1(request));
  expect(answer.status).toBe(status);
});

test('CONNECT is no way through, and is closed', async () => {
  const { text } = await sendRaw(service.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
  expect(text).toBe('');
});

test('whoever asks to go on, and has nothing to send, is answered', async () => {
  const { text } = await sendRaw(service.port, `${HEALTH}Host: x\r\nExpect: 100-continue\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});

test('a connection with a body in very many pieces is closed', async () => {
  const body = '1\r\n \r\n'.repeat(5000);
  const sent = sendRaw(service.port, `${SIGN_IN}Transfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`);
  expect(await sent.catch(() => ({ text: '' }))).toMatchObject({ text: '' });
});

test('a body in some pieces is read', async () => {
  const pieces = '{"code":"x"}'
    .split('')
    .map((sign) => `1\r\n${sign}\r\n`)
    .join('');
  const request = SIGN_IN.replace('\r\n', '\r\nConnection: close\r\n');
  const { status } = await sendRaw(service.port, `${request}Transfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`);
  expect(status).toBe(401);
});

const OWN = 'http://console.example';

test.each([
  '/contacts/50%',
  '//evil.test/%',
  '///evil.test/%',
  '/\\evil.test/%',
  '\\/evil.test/%',
  '/\\/evil.test/%',
  '/\\\\evil.test/%',
  '//evil.test\\@console.example/%',
  '/./\\evil.test/%',
  '/.//evil.test/%',
  '/..//evil.test/%',
  '/../\\evil.test/%',
  '/%2f/evil.test/%',
  '/%5cevil.test/%',
  '/%2e%2e//evil.test/%',
  '/%09/evil.test/%',
  '/%0d%0aLocation:%20http://evil.test/%',
  '/;//evil.test/%',
  '/?//evil.test/%',
  '/#//evil.test/%',
  '/@evil.test/%',
  '/:80//evil.test/%',
  '/https://evil.test/%',
  '/javascript:alert(1)//%',
  '/data:text/html,x/%',
  '/evil.test%',
  '/.evil.test/%',
  '//%',
  '/\\%',
  '//@%',
  '//:80/%',
  '//evil.test:80/%',
  '//user@evil.test/%',
  '//[::1]/%',
  '//127.0.0.1/%',
  '//2130706433/%',
  '//\u00e9vil.test/%',
  '/\u00a0/evil.test/%',
  '/\u0085/evil.test/%',
  '//evil%E3%80%82test/%',
  'http://evil.test/%',
  'http:/evil.test/%',
  'http:\\\\evil.test/%',
  'HTTPS://evil.test/%',
  'https:///evil.test/%',
  'http://console.example@evil.test/%',
  'http://evil.test\\@console.example/%',
  'http://evil.test?%',
  'http://evil.test//evil.test/%',
  'javascript:alert(1)//%',
  'javascript://evil.test/%0aalert(1)%',
  'data:text/html,x%',
  'file:///etc/passwd%',
  'ftp://evil.test/%',
  'ws://evil.test/%',
  'x:%',
  '*%',
  '%',
  '?%',
  '/contacts/a%2fb/../..//evil.test/%',
])('wherever %s leads, it is on this origin', async (target) => {
  const request = `GET ${target} HTTP/1.1\r\nHost: console.example\r\nConnection: close\r\nAccept: text/html\r\n\r\n`;
  const { status, headers } = await sendRaw(service.port, latin1(request));
  const location = headers.get('location');
  if (location === null) return expect([200, 400]).toContain(status);
  expect(status).toBe(302);
  expect(location).toMatch(/^\/(?![/\\])/);
  expect(new URL(location, `${OWN}/x/y`).origin).toBe(OWN);
  const next = await sendRaw(service.port, latin1(request.replace(target, location)));
  expect(next.status).toBe(200);
});

function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}
