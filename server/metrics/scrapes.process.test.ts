import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFileStorage, type TestStorage } from '../testing/testDatabase.ts';
import { startTestUpstream, type TestUpstream } from '../testing/testUpstream.ts';
import { killServices, startMain } from '../testing/processes/testMain.ts';
import { type MeasuredService, listMetricNames, startMeasuredService } from '../testing/testMetrics.ts';

let place: TestStorage;
let service: MeasuredService;
beforeAll(async () => {
  place = await createFileStorage();
  service = await startMeasuredService({ DATABASE_URL: place.url });
});
afterAll(async () => {
  killServices();
  await place[Symbol.asyncDispose]();
});

test('metrics are at an address of their own, and nothing else is', async () => {
  const answer = await fetch(service.metricsUrl);
  expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await answer.text()).toMatch(/^sendroom_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
  expect((await fetch(service.metricsUrl, { method: 'POST' })).status).toBe(405);
  const { origin } = new URL(service.metricsUrl);
  for (const path of ['/', '/v1/domains', '/metrics/x', '/healthz']) {
    expect((await fetch(origin + path)).status).toBe(404);
  }
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});

test('an address that cannot be listened at is one sentence and exit code 1', async () => {
  const taken = new URL(service.metricsUrl).host;
  const settings = { DEMO: 'off', LOG_LEVEL: 'silent' };
  const cases = [
    [taken, 'The address in METRICS is already in use. Set another port.\n'],
    ['192.0.2.1:9464', 'METRICS is not an address of this machine.\n'],
  ] as const;
  await Promise.all(
    cases.map(async ([METRICS, sentence], index) => {
      const refused = startMain({ ...settings, METRICS, DATABASE_URL: `file:${place.folder}/other${index}.db` });
      expect(await refused.ended).toBe(1);
      expect(refused.stdout()).toContain(sentence);
    }),
  );
});

test('a gateway has metrics too, with what became of its calls', async () => {
  await using upstream: TestUpstream = await startTestUpstream();
  upstream.answer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<h1>A page</h1>'));
  const gateway = await startMeasuredService({ UPSTREAM_URL: upstream.url });
  const answer = await fetch(`${gateway.url}/v1/domains`, { headers: { authorization: 'Bearer x' } });
  expect(answer.status).toBe(502);
  const unreadable = 'sendroom_upstream_failures_total{fault="unreadable"}';
  await expect.poll(async () => (await gateway.scrape()).get(unreadable)).toBe(1);
  const now = await gateway.scrape();
  expect(now.get('sendroom_upstream_failures_total{fault="timeout"}')).toBe(0);
  expect(now.get('sendroom_http_requests_total{method="GET",route="/v1/domains",status="502"}')).toBe(1);
  expect(now.get('sendroom_ready')).toBe(1);
  expect([...listMetricNames(await gateway.text())].filter((name) => name.startsWith('sendroom_database'))).toEqual([]);
  expect(await gateway.stop()).toBe(0);
});
