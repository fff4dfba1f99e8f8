import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killServices, startMain } from '../testMain.ts';
import { FLOODS, floodWith } from './testFlood.ts';

// The process as it is shipped, with little memory.

const HEAP_MIB = 128;
const SECONDS = 7;
const CONNECTIONS = 40;
/** Each of them takes much of the processor. */
const HEAVY = 12;
/** What so many hold is more than all together may. */
const HOLDING = 400;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-flood-'));
});
afterEach(() => killServices());
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  ['requests far ahead of their answers', CONNECTIONS, 'too many requests ahead of their answers'],
  ['requests that are refused, as short as there are', CONNECTIONS, 'too many requests ahead of their answers'],
  ['bodies in pieces of one byte', HEAVY, 'a body in too many pieces'],
  ['bodies that stop before their end', HOLDING, 'requests and answers hold too much'],
])('%s do not end it, and others are answered', async (name, connections, why) => {
  const env = { DATABASE_URL: `file:${join(folder, 'sendroom.db')}`, DEMO: 'off' };
  const service = startMain(env, [`--max-old-space-size=${HEAP_MIB}`]);
  const address = await service.address;
  const flood = floodWith(Number(new URL(address).port), FLOODS[name] ?? Buffer.alloc(0), connections);
  const end = performance.now() + SECONDS * 1000;
  let answers = 0;
  while (performance.now() < end) {
    const response = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(10_000) });
    expect(response.status).toBe(200);
    answers++;
    await sleep(50);
  }
  flood.stop();
  expect(answers).toBeGreaterThan(SECONDS / 2);
  expect(flood.opened()).toBeGreaterThan(connections);
  expect(await service.stop()).toBe(0);
  for (const line of service.stderr().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('level');
  expect(service.stderr()).toContain(why);
});
