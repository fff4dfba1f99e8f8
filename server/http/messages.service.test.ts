import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../testing/processes/rawHttp.ts';
import { createTestFolder, type TestFolder } from '../testing/testFolder.ts';
import { startTestService, type TestService } from '../testing/testService.ts';

// Messages that no usual client sends: each is answered or closed, and has no effect.

let folder: TestFolder;
let service: TestService;

beforeAll(async () => {
  folder = await createTestFolder({ 'index.html': '<!doctype html>', 'shared.html': '' });
  service = await startTestService({ consoleDir: folder.path });
});
afterEach(async () => {
  expect((await service.call('/healthz')).status).toBe(200);
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const HEALTH = 'GET /healthz HTTP/1.1\r\nConnection: close\r\n';
const SIGN_IN = 'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\n';

test.each<[status: number, what: string, request: string]>([
  [200, 'a host of IPv6 with a port', `${HEALTH}Host: [::1]:4600\r\n\r\n`],
  [200, 'a whole URL as the address', 'GET http://x/healthz HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [200, 'an upgrade', 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: h2c\r\n\r\n'],
  [200, 'headers of a WebSocket', `${HEALTH}Host: x\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`],
  [404, 'OPTIONS of everything', 'OPTIONS * HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [404, 'another spelling of the first segment', 'GET /%761/domains HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [404, 'another spelling of a later segment', 'GET /v1/%64omains HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [404, 'an escaped slash', 'GET /v1%2fdomains HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [404, 'two slashes', 'GET //v1/domains HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [400, 'a user in the address', 'GET http://a@x/healthz HTTP/1.1\r\nConnection: close\r\nHost: x\r\n\r\n'],
  [400, 'another transfer coding', `${HEALTH}Host: x\r\nTransfer-Encoding: xchunked\r\n\r\n`],
  [400, 'two transfer codings', `${HEALTH}Host: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
  [200, 'chunks in other letters', `${HEALTH}Host: x\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`],
  [400, 'no host', `${HEALTH}\r\n`],
  [400, 'the same host twice', `${HEALTH}Host: x\r\nHost: x\r\n\r\n`],
  [400, 'another version', 'GET /healthz HTTP/2.0\r\nConnection: close\r\nHost: x\r\n\r\n'],
])('%i, %s', async (status, _, request) => {
  expect((await sendRaw(service.port, request)).status).toBe(status);
});

test('CONNECT is no way through, and is closed', async () => {
  const { text } = await sendRaw(service.port, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
  expect(text).toBe('');
});

test('a client that asks whether to go on is answered, also when it has nothing to send', async () => {
  const { text } = await sendRaw(service.port, `${HEALTH}Host: x\r\nExpect: 100-continue\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
});

function sendPieces(pieces: readonly string[]) {
  const chunks = [...pieces.map((piece) => `1\r\n${piece}\r\n`), '0\r\n\r\n'].join('');
  return sendRaw(service.port, `${SIGN_IN}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
}

test('a body in some pieces is read, and a connection with a body in very many is closed', async () => {
  expect((await sendPieces(Array.from('{"code":"x"}'))).status).toBe(401);
  const refused = await sendPieces(Array<string>(5000).fill(' ')).catch(() => ({ text: '' }));
  expect(refused.text).toBe('');
});

function go(target: string) {
  const request = `GET ${target} HTTP/1.1\r\nHost: console.example\r\nConnection: close\r\nAccept: text/html\r\n\r\n`;
  return sendRaw(service.port, Buffer.from(request, 'latin1'));
}

const OWN = 'http://console.example';

// A path that is not properly encoded is redirected to one that is.
test.each([
  '/contacts/50%',
  '//evil.test/%',
  '/\\evil.test/%',
  '\\/evil.test/%',
  '//evil.test\\@console.example/%',
  '/./\\evil.test/%',
  '/..//evil.test/%',
  '/%5cevil.test/%',
  '/%09/evil.test/%',
  '/%0d%0aLocation:%20http://evil.test/%',
  '//\u00e9vil.test/%',
  '/\u0085/evil.test/%',
  'http:/evil.test/%',
  'http://evil.test\\@console.example/%',
  'http://evil.test?%',
  'javascript://evil.test/%0aalert(1)%',
  '*%',
  '?%',
])('wherever %s leads, it is on this origin', async (target) => {
  const { status, headers } = await go(target);
  const location = headers.get('location');
  if (location === null) return expect([200, 400]).toContain(status);
  expect(status).toBe(302);
  expect(location).toMatch(/^\/(?![/\\])/);
  expect(new URL(location, `${OWN}/x/y`).origin).toBe(OWN);
  expect((await go(location)).status).toBe(200);
});
