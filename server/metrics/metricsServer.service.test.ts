import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sendRaw } from '../testing/processes/rawHttp.ts';
import type { Log } from '../settings/log.ts';
import { addGauge, createMetrics } from './metrics.ts';
import { startMetricsServer } from './metricsServer.ts';

const SCRAPE = 'GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n';

let scrapes = 0;
let server: Awaited<ReturnType<typeof startMetricsServer>>;
let port: number;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  scrapes = 0;
  const metrics = createMetrics('1.0.0');
  addGauge(metrics, { name: 'sendroom_scrapes', help: 'Scrapes.' }, () => ++scrapes);
  server = await startMetricsServer(metrics, { host: '127.0.0.1', port: 0 }, {} as Log);
  port = Number(new URL(server.url).port);
});
afterEach(async () => {
  vi.useRealTimers();
  await server.close();
});

test('a connection is for one scrape, however many are sent ahead', async () => {
  const { text } = await sendRaw(port, SCRAPE.repeat(200));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(scrapes).toBe(1);
});

test('a connection that is kept busy is closed after 10 seconds', async () => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('\r\n');
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  // Until the server has it too.
  const passing = setInterval(() => vi.advanceTimersByTime(1000), 10);
  await closed;
  clearInterval(passing);
});
