import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { sendRaw } from '../../testing/processes/rawHttp.ts';
import { startTestGateway } from '../../testing/testGateway.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../../testing/testTenants.ts';
import { ok, startTestUpstream } from '../../testing/testUpstream.ts';

let service: TestService;
let own: Tenant;

beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterEach(() => void vi.useRealTimers());
afterAll(() => service[Symbol.asyncDispose]());

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const list = () => get('/v1/domains', `Authorization: Bearer ${own.token}\r\n`);
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
const LAST = 'Connection: close\r\n';

test('requests that are sent ahead are answered one after the other, in their order', async () => {
  const ahead = [get('/healthz'), list(), get('/nothing'), list(), get('/healthz', LAST)];
  const { text } = await sendRaw(service.port, ahead.join(''));
  expect(statuses(text)).toEqual([200, 200, 404, 200, 200]);
});

test('as many as 16 may wait for the answer to another', async () => {
  const { text } = await sendRaw(service.port, list().repeat(16) + get('/healthz', LAST));
  expect(statuses(text)).toEqual(Array.from({ length: 17 }, () => 200));
});

test('with more than that ahead the connection is closed, and the log says how often', async () => {
  await expect(sendRaw(service.port, list().repeat(1000))).rejects.toThrow(/ECONNRESET|EPIPE/);
  await expect.poll(() => service.log.filter((line) => line.includes('ahead'))).toHaveLength(1);
  expect(JSON.parse(service.log.find((line) => line.includes('ahead')) ?? '')).toMatchObject({
    level: 'warn',
    closed: { 'too many requests ahead of their answers': 1 },
    msg: 'connections closed',
  });
});

test('what is no request is answered after the requests before it', async () => {
  const { text } = await sendRaw(service.port, `${list()}${list()}HELO mail.example.com\r\n\r\n${list()}`);
  expect(statuses(text)).toEqual([200, 200, 400]);
});

test('nothing follows an answer that said it is the last', async () => {
  const { text } = await sendRaw(service.port, get('/healthz', LAST) + list());
  expect(statuses(text)).toEqual([200]);
});

test('a connection that was told why it ends is closed, also when the caller leaves it open', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const socket = connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write(`${get('/healthz')}HELO mail.example.com\r\n\r\n`);
  socket.resume();
  await once(socket, 'end');
  const closed = once(socket, 'error');
  vi.advanceTimersByTime(2000);
  const writing = setInterval(() => socket.write('x'), 10);
  expect(await closed).toMatchObject([{ syscall: expect.stringMatching(/read|write/) as string }]);
  clearInterval(writing);
});

test.each([
  ['an answer', ''],
  ['an answer, and sends what is no request after it,', 'HELO mail.example.com\r\n\r\n'],
])('who does not take %s is closed', async (_, after) => {
  await using upstream = await startTestUpstream();
  const size = 15 * 1024 * 1024;
  upstream.answer((socket) => void socket.write(ok(size) + `"${'x'.repeat(size - 2)}"`));
  await using gateway = await startTestGateway({ upstream: upstream.url });
  vi.useFakeTimers({ toFake: ['performance'] });
  // The gateway, which is stopped after that, waits for its connections by the clock.
  using clock = new DisposableStack();
  clock.defer(() => vi.useRealTimers());
  const socket = connect(gateway.port, '127.0.0.1').on('error', () => {});
  socket.write(`${get('/v1/domains', 'Authorization: Bearer x\r\n')}${after}`);
  const isClosed = () => {
    // Bytes on their way count as taken until the buffers are full.
    vi.advanceTimersByTime(10_000);
    return gateway.log.join('');
  };
  await expect.poll(isClosed).toContain('{"an answer was not taken":1}');
  socket.destroy();
});
