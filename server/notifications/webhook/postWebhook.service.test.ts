import { Resolver } from 'node:dns/promises';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { postWebhook } from './postWebhook.ts';

const LOOPBACK = (address: string): boolean => address === '127.0.0.1';
const NOWHERE = () => false;

async function receive(listener: RequestListener): Promise<{ url: URL; count: () => number }> {
  let count = 0;
  const server = createServer((request, response) => {
    count++;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`), count: () => count };
}

const respond =
  (status: number, headers: Record<string, string> = {}): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status, headers).end();
  };

const { signal: RUNS } = new AbortController();
const post = (url: URL, isAllowed = LOOPBACK, halt = RUNS) =>
  postWebhook(url, { 'webhook-id': 'm1' }, '{"a":"ä"}', { isAllowed, halt });

afterEach(() => {
  vi.restoreAllMocks();
});

/** Answers look-ups, one after the other. */
function answer(...addresses: string[]) {
  const resolve = vi.spyOn(Resolver.prototype, 'resolve4');
  for (const address of addresses) resolve.mockResolvedValueOnce([address] as never);
  vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('queryAaaa ENODATA'));
  return resolve;
}

test('posts the body as it was signed', async () => {
  const got: unknown[] = [];
  const { url } = await receive((request, response) => {
    const { method, url: path, headers } = request;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push([method, path, headers['webhook-id'], headers['content-type'], Buffer.concat(chunks).toString()]);
      response.writeHead(204).end();
    });
  });
  expect(await post(url)).toEqual({ isDelivered: true, detail: 'The receiver responded with 204.' });
  expect(got).toEqual([['POST', '/hook', 'm1', 'application/json', '{"a":"ä"}']]);
});

test.each([
  [500, {}, {}],
  [404, {}, {}],
  [410, {}, { isGone: true }],
  [429, { 'retry-after': '120' }, { retryAfter: 120 }],
  [503, { 'retry-after': 'nonsense' }, { retryAfter: 0 }],
])('%i isn’t delivered', async (status, headers, more) => {
  const { url } = await receive(respond(status, headers));
  const detail = `The receiver responded with ${status}.`;
  expect(await post(url)).toMatchObject({ isDelivered: false, detail, ...more });
});

test('a date says too when to repeat', async () => {
  const { url } = await receive(respond(503, { 'retry-after': new Date(Date.now() + 300_000).toUTCString() }));
  const { retryAfter } = (await post(url)) as { retryAfter: number };
  expect(retryAfter).toBeGreaterThan(200);
  expect(retryAfter).toBeLessThanOrEqual(300);
});

test('redirects aren’t followed', async () => {
  const other = await receive(respond(200));
  const { url } = await receive(respond(307, { location: other.url.href }));
  expect(await post(url)).toEqual({
    isDelivered: false,
    detail: 'The receiver responded with 307. Redirects aren’t followed.'.replace('’', "'"),
  });
  expect(other.count()).toBe(0);
});

describe('what comes after the status', () => {
  test('an endless body is cut off, and the message counts as delivered', async () => {
    let closed: () => void;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const { url } = await receive((request, response) => {
      request.resume();
      response.writeHead(200);
      const write = () => {
        while (response.write(Buffer.alloc(16 * 1024)));
      };
      response.on('drain', write).on('close', () => closed());
      write();
    });
    expect(await post(url)).toMatchObject({ isDelivered: true });
    await isClosed;
  });

  test('one that never ends doesn’t make it fail', async () => {
    const { url } = await receive((request, response) => {
      request.resume();
      response.writeHead(200).write('{');
    });
    expect(await post(url)).toMatchObject({ isDelivered: true });
  });
});

test('a receiver that says nothing fails after 15 seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
  const { url } = await receive(() => {});
  expect(await post(url)).toEqual({ isDelivered: false, detail: 'No response within 15 seconds.' });
  expect(timeout).toHaveBeenCalledWith(15_000);
});

test('one that hangs up fails', async () => {
  const { url } = await receive((request) => request.socket.destroy());
  expect(await post(url)).toMatchObject({ isDelivered: false, detail: expect.stringContaining('hang up') as string });
});

test.each([
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
  ['only announces a response', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['speaks something else', '220 mail.example ESMTP\r\n'],
])('one that %s fails', async (_, text) => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {}).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  expect(await post(url)).toMatchObject({ isDelivered: false, detail: expect.stringMatching(/./) as string });
});

test.each([
  ['that took the message and hung up', (socket: Socket) => socket.once('data', () => socket.destroy()), true],
  ['that isn’t there', null, false],
])('whether a receiver %s may have it is said', async (_, act, mayHaveArrived) => {
  const server = createTcpServer((socket) => void act?.(socket.on('error', () => {})));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  if (act === null) server.close();
  else onTestFinished(() => void server.close());
  expect('mayHaveArrived' in (await post(url))).toBe(mayHaveArrived);
});

test('a name whose servers are silent holds up no other look-up', async () => {
  const { url } = await receive(respond(204));
  const resolve = vi.spyOn(Resolver.prototype, 'resolve4');
  const cancelled = vi.spyOn(Resolver.prototype, 'cancel');
  resolve.mockImplementation((name: string): Promise<never> =>
    name.startsWith('slow') ? new Promise(() => {}) : Promise.resolve(['127.0.0.1'] as never),
  );
  vi.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('queryAaaa ENODATA'));
  for (let count = 0; count < 20; count++) void post(new URL(`https://slow${count}.test/`), NOWHERE);
  expect(await post(new URL(`http://quick.test:${url.port}/`))).toMatchObject({ isDelivered: true });
  expect(cancelled).not.toHaveBeenCalled();
});

describe('addresses that aren’t public', () => {
  test.each([
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fd00::1]',
    '2130706433',
    '0x7f.1',
  ])('%s is refused', async (host) => {
    const outcome = await post(new URL(`https://${host}/`), NOWHERE);
    expect(outcome).toMatchObject({
      isDelivered: false,
      detail: expect.stringContaining('no public address') as string,
    });
  });

  test('a name that leads to such an address is refused', async () => {
    const { url, count } = await receive(respond(200));
    answer('127.0.0.1');
    expect(await post(new URL(`https://rebind.test:${url.port}/`), NOWHERE)).toMatchObject({ isDelivered: false });
    expect(count()).toBe(0);
  });

  test('the address of the check is the address of the call', async () => {
    const { url, count } = await receive(respond(200));
    const lookup = answer('127.0.0.1', '127.0.0.2');
    expect(await post(new URL(`http://rebind.test:${url.port}/`))).toMatchObject({ isDelivered: true });
    expect(lookup).toHaveBeenCalledTimes(1);
    expect(count()).toBe(1);
  });

  test('http is only for those that are allowed', async () => {
    const { url } = await receive(respond(200));
    expect(await post(url, NOWHERE)).toMatchObject({ isDelivered: false });
    answer('192.0.2.1');
    expect(await post(new URL('http://public.test/'))).toMatchObject({ isDelivered: false, isFinal: true });
  });
});
