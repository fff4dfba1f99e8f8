import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../../testing/testTenants.ts';

// Requests whose end is ambiguous (RFC 9112, 11.2): a proxy treated the hidden request as a part of the first.

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

const END = '0\r\n\r\n';

/** This path reads its body; without the header of the console it would be rejected before that. */
const HEAD = 'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\n';

const chunked = (body: string) => `${HEAD}Transfer-Encoding: chunked\r\n\r\n${body}`;
const headed = (lines: string, body = '') => `${HEAD}${lines}\r\n\r\n${body}`;

/** `LENGTH` stands for that of the hidden request, which follows each. */
test.each<[name: string, request: string]>([
  ['a length and chunks', headed('Content-Length: 5\r\nTransfer-Encoding: chunked', END)],
  ['two lengths', headed('Content-Length: 0\r\nContent-Length: LENGTH')],
  ['two lengths in one line', headed('Content-Length: 0, LENGTH')],
  ['a length with a sign', headed('Content-Length: +0')],
  ['a length in another base', headed('Content-Length: 0x0')],
  ['no length', headed('Content-Length:')],
  ['a length beyond all numbers', headed('Content-Length: 18446744073709551616')],
  ['chunks that are not the last coding', headed('Transfer-Encoding: chunked, gzip', END)],
  ['two lines of codings', headed('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', END)],
  ['a coding nobody knows', headed('Transfer-Encoding: xchunked', END)],
  ['a coding on the next line', headed('Transfer-Encoding:\r\n chunked', END)],
  ['a blank before the colon', headed('Transfer-Encoding : chunked', END)],
  ['a line that goes on in the next', headed('X: a\r\n b\r\nContent-Length: 0')],
  ['lines that end with LF alone', `${HEAD.replaceAll('\r\n', '\n')}Content-Length: 0\n\n`],
  ['a line that ends with CR alone', headed('X: a\rContent-Length: 0')],
  ['a NUL in a value', headed('X: a\u0000b\r\nContent-Length: 0')],
  ['a line without a colon', headed('Content-Length 0')],
  ['a size that is no number', chunked('x\r\n')],
  ['a size beyond all numbers', chunked('10000000000000000\r\n\r\n')],
  ['a chunk that is longer than it says', chunked(`1\r\nab\r\n${END}`)],
  ['a size that ends with LF alone', chunked('0\n\n')],
  ['a trailer that means more', chunked('0\r\nContent-Length 5\r\n\r\n')],
  ['a tab for a blank', 'POST\t/session HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  ['no version', 'POST /session\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
])('%s', async (_, request) => {
  const sent = request.replace('LENGTH', String(hidden.length)) + hidden;
  const before = await snapshotTenantData(own, service.database);
  const answers = await say(sent);
  expect(answers).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  // One answer, and then nothing more is read.
  expect(answers.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  expect(answers).toMatch(/\r\nconnection: close\r\n/i);
  // The same if the first request is rejected before its body is read.
  expect(await say(sent.replace('Sendroom-Console: 1', 'X: 1'))).not.toContain('HTTP/1.1 200');
  expect(await snapshotTenantData(own, service.database)).toBe(before);
});

test('what is hidden does what it says where it stands by itself', async () => {
  const body = '{"code":"x"}';
  const answers = await say(`${chunked(`${body.length.toString(16)}\r\n${body}\r\n${END}`)}${hidden}`);
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});
