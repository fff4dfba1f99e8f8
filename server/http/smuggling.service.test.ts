import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';

// Requests whose end is ambiguous (RFC 9112, 11.2). Behind each is one that would unsubscribe a contact, with a valid
// token. It must not be treated as a separate request, because a proxy in front treated it as a part of the first.

let service: TestService;
let own: Tenant;
let hidden: string;

beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
  hidden =
    `POST /v1/workspaces/${own.workspace.uuid}/contacts/${own.contact}/unsubscribe HTTP/1.1\r\nHost: x\r\n` +
    `Authorization: Bearer ${own.token}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
});
afterAll(() => service[Symbol.asyncDispose]());

/** Everything that is received until the connection ends. */
function say(text: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let answer = '';
  const socket = connect(service.port, '127.0.0.1');
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => {});
  socket.on('close', () => resolve(answer));
  socket.write(Buffer.from(text, 'latin1'));
  return promise;
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const END = '0\r\n\r\n';

/** This path reads its body; without the header of the console it would be rejected before that. */
const HEAD = 'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\n';

test.each<[name: string, request: (hidden: string) => string]>([
  ['a length and chunks', (hidden) => `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${END}${hidden}`],
  ['chunks and a length', (hidden) => `${HEAD}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${END}${hidden}`],
  ['two lengths', (hidden) => `${HEAD}Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`],
  ['the same length twice', (hidden) => `${HEAD}Content-Length: 0\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['two lengths in one line', (hidden) => `${HEAD}Content-Length: 0, ${hidden.length}\r\n\r\n${hidden}`],
  ['a length with a sign', (hidden) => `${HEAD}Content-Length: +0\r\n\r\n${hidden}`],
  ['a negative length', (hidden) => `${HEAD}Content-Length: -1\r\n\r\n${hidden}`],
  ['a length in another base', (hidden) => `${HEAD}Content-Length: 0x0\r\n\r\n${hidden}`],
  ['a length with a blank inside', (hidden) => `${HEAD}Content-Length: 0 1\r\n\r\n${hidden}`],
  ['no length', (hidden) => `${HEAD}Content-Length:\r\n\r\n${hidden}`],
  ['a length beyond all numbers', (hidden) => `${HEAD}Content-Length: 18446744073709551616\r\n\r\n${hidden}`],
  ['chunks that are not the last coding', (hidden) => `${HEAD}Transfer-Encoding: chunked, gzip\r\n\r\n${END}${hidden}`],
  ['chunks twice', (hidden) => `${HEAD}Transfer-Encoding: chunked, chunked\r\n\r\n${END}${hidden}`],
  [
    'two lines of codings',
    (hidden) => `${HEAD}Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n${END}${hidden}`,
  ],
  ['a coding nobody knows', (hidden) => `${HEAD}Transfer-Encoding: xchunked\r\n\r\n${END}${hidden}`],
  ['a coding behind a control character', (hidden) => `${HEAD}Transfer-Encoding: \u000bchunked\r\n\r\n${END}${hidden}`],
  ['a coding on the next line', (hidden) => `${HEAD}Transfer-Encoding:\r\n chunked\r\n\r\n${END}${hidden}`],
  ['a blank before the colon', (hidden) => `${HEAD}Transfer-Encoding : chunked\r\n\r\n${END}${hidden}`],
  ['a blank before the name', (hidden) => `POST /session HTTP/1.1\r\n Host: x\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['a line that goes on in the next', (hidden) => `${HEAD}X: a\r\n b\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['lines that end with LF alone', (hidden) => `${HEAD.replaceAll('\r\n', '\n')}Content-Length: 0\n\n${hidden}`],
  ['one line that ends with LF alone', (hidden) => `${HEAD}X: a\nContent-Length: 0\r\n\r\n${hidden}`],
  ['a line that ends with CR alone', (hidden) => `${HEAD}X: a\rContent-Length: 0\r\n\r\n${hidden}`],
  ['a NUL in a value', (hidden) => `${HEAD}X: a\u0000b\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['a NUL in a name', (hidden) => `${HEAD}X\u0000: a\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['a line without a colon', (hidden) => `${HEAD}Content-Length 0\r\n\r\n${hidden}`],
  ['a size that is no number', (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\nx\r\n${hidden}`],
  ['a size with a sign', (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${hidden}`],
  ['a size in another base', (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${hidden}`],
  [
    'a size beyond all numbers',
    (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n${hidden}`,
  ],
  [
    'a chunk that is longer than it says',
    (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n${END}${hidden}`,
  ],
  ['a size that ends with LF alone', (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\n\n${hidden}`],
  ['a chunk that ends with LF alone', (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n1\r\na\n${END}${hidden}`],
  [
    'a trailer that means more',
    (hidden) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Length 5\r\n\r\n${hidden}`,
  ],
  ['a method that is none', (hidden) => `GE T /session HTTP/1.1\r\nHost: x\r\n\r\n${hidden}`],
  ['a tab for a blank', (hidden) => `POST\t/session HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['no version', (hidden) => `POST /session\r\nHost: x\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['a version that is none', (hidden) => `POST /session HTTP/1.1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n${hidden}`],
  ['the beginning of HTTP/2', (hidden) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
])('%s', async (_, request) => {
  const before = await snapshotTenantData(own, service.database);
  const answers = await say(request(hidden));
  expect(answers).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  // One answer, and then nothing more is read.
  expect(answers.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  expect(answers).toMatch(/\r\nconnection: close\r\n/i);
  // The same if the first request is rejected before its body is read.
  expect(await say(request(hidden).replace('Sendroom-Console: 1', 'X: 1'))).not.toContain('HTTP/1.1 200');
  expect(await snapshotTenantData(own, service.database)).toBe(before);
});

test('what is hidden does what it says where it stands by itself', async () => {
  const answers = await say(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk('{"code":"x"}')}${END}${hidden}`);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});

test.each([
  '',
  'Host: x\r\nHost: y\r\n',
  'Host: x\r\nHost: x\r\n',
  'Host: x, y\r\n',
  'Host: a b\r\n',
  'Host: x/y\r\n',
  'Host: a@b\r\n',
  'Host: [\r\n',
])('a request that does not say whom it is for, %j, is refused', async (host) => {
  const answer = await say(`GET /healthz HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});

test.each(['Host: x', 'Host: x:4600', 'Host: 127.0.0.1:1', 'Host: [::1]:80', 'Host: a-b.example.com', 'Host:'])(
  '%s is a host',
  async (host) => {
    const answer = await say(`GET /healthz HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  },
);
