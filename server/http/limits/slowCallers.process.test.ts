import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { createFileStorage } from '../../testing/testDatabase.ts';
import { killServices, startMain } from '../../testing/processes/testMain.ts';

// The attacks of slowhttptest, each with its own limit; all at once, because each takes its time.

const CALLERS = 100;
const SECOND = 1000;
const POST =
  'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';

const attacks: [name: string, first: string, again: string, seconds: number][] = [
  ['nothing', '', '', 10],
  ['one header after the other', 'GET /healthz HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n', 10],
  ['a body byte by byte', POST, ' ', 20],
];

afterAll(() => killServices());

async function callSlowly(port: number, first: string, again: string): Promise<{ heard: string; after: number }> {
  const start = performance.now();
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString()));
  // Writing to a closed connection causes a reset.
  socket.on('error', () => {});
  socket.write(first);
  let isTold = false;
  socket.on('end', () => (isTold = true));
  const timer = setInterval(() => socket.write(isTold ? 'x' : again), 2 * SECOND);
  await new Promise((resolve) => socket.on('close', resolve));
  clearInterval(timer);
  return { heard, after: performance.now() - start };
}

test('callers who are slow are told so and closed, and keep nobody else waiting', async () => {
  await using place = await createFileStorage();
  const service = startMain({ DATABASE_URL: place.url, DEMO: 'off' });
  const address = await service.address;
  const port = Number(new URL(address).port);
  const state = { areClosed: false };
  const closed = attacks.map(async ([name, first, again, seconds]) => {
    const calls = await Promise.all(Array.from({ length: CALLERS }, () => callSlowly(port, first, again)));
    for (const { heard, after } of calls) {
      expect(heard, name).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(heard).toMatch(/^x-content-type-options: nosniff\r$/im);
      expect(heard).toContain('"detail":"The request wasn\'t received in time."');
      expect(after, name).toBeGreaterThan((seconds - 1) * SECOND);
    }
  });
  const all = Promise.all(closed).finally(() => (state.areClosed = true));
  while (!state.areClosed) {
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    await Promise.race([all, sleep(SECOND)]);
  }
  await all;
  expect(await service.stop()).toBe(0);
});
