import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createFileStorage, type TestStorage } from '../../testing/testDatabase.ts';
import { killServices, startMain } from '../../testing/testMain.ts';
import { FLOODS, startFlood } from '../../testing/testFlood.ts';

// The shipped process, with little memory.

const HEAP_MIB = 128;
const SECONDS = 7;
const CONNECTIONS = 40;
/** Each of them uses much processor time. */
const HEAVY = 12;
/** More connections than the memory limit allows together. */
const HOLDING = 400;

let place: TestStorage;

beforeAll(async () => {
  place = await createFileStorage();
});
afterEach(() => killServices());
afterAll(() => place[Symbol.asyncDispose]());

test.each([
  ['requests far ahead of their answers', CONNECTIONS, 'too many requests ahead of their answers'],
  ['requests that are refused, as short as there are', CONNECTIONS, 'too many requests ahead of their answers'],
  ['bodies in pieces of one byte', HEAVY, 'a body in too many pieces'],
  ['bodies that stop before their end', HOLDING, 'requests and answers hold too much'],
])('%s do not end it, and others are answered', async (name, connections, why) => {
  const env = { DATABASE_URL: place.url, DEMO: 'off' };
  const service = startMain(env, [`--max-old-space-size=${HEAP_MIB}`]);
  const address = await service.address;
  const flood = startFlood(Number(new URL(address).port), FLOODS[name] ?? Buffer.alloc(0), connections);
  const end = performance.now() + SECONDS * 1000;
  let answers = 0;
  // On a busy machine an answer takes long, and then the flood goes on for longer.
  while (performance.now() < end || answers <= SECONDS / 2) {
    const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(10_000) });
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

/** The number of `count` connections to the service, all open at once, on which a request is answered. */
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
