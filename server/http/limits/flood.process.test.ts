import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFileStorage, type TestStorage } from '../../testing/testDatabase.ts';
import { killServices, startMain } from '../../testing/processes/testMain.ts';

const HEAP_MIB = 128;
const SECONDS = 7;

let place: TestStorage;

beforeAll(async () => {
  place = await createFileStorage();
});
afterEach(() => killServices());
afterAll(() => place[Symbol.asyncDispose]());

function startFlood(port: number, text: string, connections: number) {
  const message = Buffer.from(text);
  const open = new Set<Socket>();
  let opened = 0;
  const refill = () => {
    for (const socket of [...open].slice(0, connections / 4)) socket.destroy();
    while (open.size < connections) {
      const socket = connect(port, '127.0.0.1').pause();
      open.add(socket);
      opened++;
      // The service resets flooding connections.
      socket.on('error', () => {}).on('close', () => open.delete(socket));
      socket.write(message);
    }
  };
  refill();
  const timer = setInterval(refill, 1000);
  const stop = () => {
    clearInterval(timer);
    for (const socket of open) socket.destroy();
  };
  return { opened: () => opened, stop };
}

const SIGN_IN = 'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\n';
const AHEAD = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1500);
const PIECES = `${SIGN_IN}Transfer-Encoding: chunked\r\n\r\n${'1\r\n[\r\n'.repeat(200_000)}`;
const STOPPED = `${SIGN_IN}Content-Length: 262144\r\n\r\n${'x'.repeat(250_000)}`;

test.each([
  ['requests far ahead of their answers', AHEAD, 40, 'too many requests ahead of their answers'],
  // Each of them uses much processor time.
  ['bodies in pieces of one byte', PIECES, 12, 'a body in too many pieces'],
  // More than the memory limit allows together.
  ['bodies that stop before their end', STOPPED, 400, 'requests and answers hold too much'],
])('%s do not end it, and others are answered', async (_, message, connections, why) => {
  const env = { DATABASE_URL: place.url, DEMO: 'off' };
  const service = startMain(env, [`--max-old-space-size=${HEAP_MIB}`]);
  const address = await service.address;
  const flood = startFlood(Number(new URL(address).port), message, connections);
  const end = performance.now() + SECONDS * 1000;
  let answers = 0;
  // On a busy machine an answer takes long, and then the flood goes on for longer.
  while (performance.now() < end || answers <= SECONDS / 2) {
    const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(30_000) });
    expect(response.status).toBe(200);
    answers++;
    await sleep(50);
  }
  flood.stop();
  expect(flood.opened()).toBeGreaterThan(connections);
  expect(await service.stop()).toBe(0);
  for (const line of service.stderr().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
  expect(service.stderr()).toContain(why);
});

const outside = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ address, family }) => family === 'IPv4' && !address.startsWith('127.'))?.address;

async function open(port: number, count: number): Promise<number> {
  const sockets = Array.from({ length: count }, () => connect(port, outside).on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const answered = await Promise.all(sockets.map(isAnswered));
  for (const socket of sockets) socket.destroy();
  return answered.filter(Boolean).length;
}

function isAnswered(socket: Socket): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  if (socket.destroyed) resolve(false);
  socket.once('data', () => resolve(true)).once('close', () => resolve(false));
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  return promise;
}

if (outside !== undefined) {
  test('one caller has 512 connections at most, and a proxy that is trusted has more', async () => {
    const env = { DATABASE_URL: place.url, DEMO: 'off', HOST: outside };
    const service = startMain(env);
    expect(await open(Number(new URL(await service.address).port), 600)).toBe(512);
    await expect.poll(() => service.stderr()).toContain('too many connections of one caller');
    expect(await service.stop()).toBe(0);
    const behind = startMain({ ...env, TRUST_PROXY: outside });
    expect(await open(Number(new URL(await behind.address).port), 600)).toBe(600);
    expect(await behind.stop()).toBe(0);
  });
}
