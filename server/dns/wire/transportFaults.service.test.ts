import dgram, { type Socket as UdpSocket } from 'node:dgram';
import { syncBuiltinESMExports } from 'node:module';
import net, { type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Query } from './message.ts';
import { networkTransport } from './transport.ts';

// Each system call may fail, at once, in a callback or as an event, and a socket may end at any moment. An unhandled
// error would end the process, and fails these tests.

/** The fault of the next sockets. */
let spoil: (socket: UdpSocket | Socket) => void = () => {};
let refuseSockets: Error | null = null;
let connected: number;

const { createSocket } = dgram;
const { connect } = net;

beforeAll(() => {
  const createSpoilt = (...options: [never]) => spoilt(() => createSocket(...options));
  const connectSpoilt = (...place: [never]) => spoilt(() => connect(...place));
  vi.spyOn(dgram, 'createSocket').mockImplementation(createSpoilt as typeof createSocket);
  vi.spyOn(net, 'connect').mockImplementation(connectSpoilt as typeof connect);
  // For those who import them by name.
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

function spoilt<Made extends UdpSocket | Socket>(make: () => Made): Made {
  if (refuseSockets !== null) throw refuseSockets;
  const socket = make();
  spoil(socket);
  return socket;
}

const failure = (code: string) => Object.assign(new Error(code), { code });
const UDP: Query = { name: 'example.test', type: 'TXT', isRecursive: true };
const TCP: Query = { ...UDP, isTcp: true };
/** The discard port of this machine has no listener. */
const NOBODY = { name: null, address: '127.0.0.1', port: 9 };
/** Nothing here is waited for so long, unless it says so. */
const TIMEOUT = 10_000;

beforeEach(() => {
  connected = 0;
});
afterEach(() => {
  spoil = () => {};
  refuseSockets = null;
});

test.each(['ENETUNREACH', 'EHOSTUNREACH', 'EMFILE', 'ERR_SOCKET_BAD_PORT'])('%s is a result', async (code) => {
  const expected = code === 'EHOSTUNREACH' ? 'timeout' : 'no route';
  refuseSockets = failure(code);
  for (const query of [UDP, TCP]) expect(await networkTransport(NOBODY, query, TIMEOUT)).toBe(expected);
  refuseSockets = null;
  spoil = (socket) => {
    socket.connect = ((...args: unknown[]) => {
      connected++;
      const callback = args.at(-1) as (error: Error) => void;
      setImmediate(() => callback(failure(code)));
    }) as never;
  };
  expect(await networkTransport(NOBODY, UDP, TIMEOUT)).toBe(expected);
  expect(connected).toBeGreaterThan(0);
});

test.each([
  ['connect', UDP],
  ['send', UDP],
  ['write', TCP],
] as const)('%s throws', async (call, query) => {
  const broken = () => {
    connected++;
    throw failure('ERR_SOCKET_DGRAM_NOT_RUNNING');
  };
  spoil = (socket) => Object.assign(socket, { [call]: broken });
  const server = query === TCP ? await listening() : NOBODY;
  expect(await networkTransport(server, query, TIMEOUT)).toBe('no route');
  expect(connected).toBeGreaterThan(0);
});

const fail = (socket: UdpSocket | Socket) => socket.emit('error', failure('ECONNRESET'));

test.each([UDP, TCP])('an error event, once and again: %o', async (query) => {
  const server = await listening();
  const sockets: (UdpSocket | Socket)[] = [];
  spoil = (socket) => {
    sockets.push(socket);
    setImmediate(() => [fail(socket), fail(socket)]);
  };
  expect(await networkTransport(server, query, TIMEOUT)).toBe('connection refused');
  // The query has ended.
  for (const socket of sockets) fail(socket);
});

function close(socket: UdpSocket | Socket): void {
  if (!('close' in socket)) return void socket.destroy();
  // The query may have ended and closed it.
  try {
    socket.close();
  } catch (error) {
    expect(error).toMatchObject({ code: 'ERR_SOCKET_DGRAM_NOT_RUNNING' });
  }
}

test.each([UDP, TCP])('a socket that is closed under way: %o', async (query) => {
  const server = await listening();
  spoil = (socket) => void setImmediate(close, socket);
  expect(['timeout', 'garbled', 'no route']).toContain(await networkTransport(server, query, 150));
});

test.each(['10.0.0.5', '::ffff:127.0.0.1', 'localhost'])('a name server at %s is not asked', async (address) => {
  spoil = () => connected++;
  expect(await networkTransport({ name: 'ns1.example.net', address, port: 53 }, UDP, TIMEOUT)).toBe('refused address');
  expect(connected).toBe(0);
});

test('what fits into no packet, and a port that does not exist, are results', async () => {
  for (const query of [UDP, TCP]) {
    const long = { ...query, name: `${'a'.repeat(300)}.test` };
    expect(typeof (await networkTransport(NOBODY, long, TIMEOUT))).toBe('string');
    expect(await networkTransport({ ...NOBODY, port: 70_000 }, query, TIMEOUT)).toBe('no route');
  }
});

/** A server that accepts everything and sends nothing. */
async function listening(): Promise<{ name: null; address: string; port: number }> {
  const { createServer } = await vi.importActual<typeof import('node:net')>('node:net');
  const { createSocket } = await vi.importActual<typeof import('node:dgram')>('node:dgram');
  const server = createServer((socket) => socket.on('error', () => {})).unref();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const udp = createSocket('udp4').unref();
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return { name: null, address: '127.0.0.1', port };
}
