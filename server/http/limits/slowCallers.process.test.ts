import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killServices, startMain, type TestMain } from '../../testing/testMain.ts';

// The three attacks of slowhttptest, each with its own limit; all at once, because each takes its time.

const CALLERS = 100;
const SECOND = 1000;

let folder: string;
let service: TestMain;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-slow-'));
  service = startMain({ DATABASE_URL: `file:${join(folder, 'sendroom.db')}`, DEMO: 'off' });
  port = Number(new URL(await service.address).port);
});
afterAll(async () => {
  killServices();
  await rm(folder, { recursive: true, force: true });
});

/**
 * Sends `first` and then `again` every two seconds, keeps the connection half open, and returns what it received and
 * the milliseconds until the service closed it.
 */
async function callSlowly(first: string, again: string): Promise<{ heard: string; after: number }> {
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

const POST =
  'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n';

describe.concurrent('callers who are slow', () => {
  test.each([
    ['say nothing', '', '', 10],
    ['send one header after the other', 'GET /healthz HTTP/1.1\r\nHost: x\r\n', 'X-A: b\r\n', 10],
    ['send their body byte by byte', POST, ' ', 20],
  ])('and %s are told so, and closed', async (_, first, again, seconds) => {
    const calls = await Promise.all(Array.from({ length: CALLERS }, () => callSlowly(first, again)));
    for (const { heard, after } of calls) {
      expect(heard).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
      expect(heard).toContain('"detail":"The request did not arrive completely in time."');
      expect(heard).toMatch(/^content-security-policy: default-src 'none'/im);
      expect(heard).toMatch(/^x-content-type-options: nosniff\r$/im);
      expect(after).toBeGreaterThan((seconds - 1) * SECOND);
      expect(after).toBeLessThan((seconds + 15) * SECOND);
    }
  });

  test.each([
    ['do not take their answers', ''],
    ['do not take their answers, and send what is no request', 'HELO mail.example.com\r\n\r\n'],
  ])('and %s are closed', async (_, after) => {
    const upstream = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(`"${'x'.repeat(15 * 1024 * 1024)}"`);
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const gateway = startMain({ UPSTREAM_URL: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` });
    const socket = connect(Number(new URL(await gateway.address).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`GET /v1/domains HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n\r\n${after}`);
    await expect.poll(() => gateway.stderr(), { timeout: 50 * SECOND }).toContain('an answer was not taken');
    socket.destroy();
    upstream.close();
    expect(await gateway.stop()).toBe(0);
  });

  test('keep nobody else waiting', async () => {
    for (let count = 0; count < 25; count++) {
      const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(5 * SECOND) });
      expect(response.status).toBe(200);
      await sleep(SECOND);
    }
  });
});
