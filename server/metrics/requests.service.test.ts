import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { sendRaw, sendRawUntilAnswer } from '../testing/processes/rawHttp.ts';
import { parseSeries } from '../testing/testMetrics.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, SHARED_IDENTITIES, type Tenant } from '../testing/testTenants.ts';

let metrics: Metrics;
let service: TestService;
let own: Tenant;

beforeEach(async () => {
  metrics = createMetrics('1.2.3');
  service = await startTestService({ metrics, settings: { RATE_LIMIT: '20' } });
  [own] = await createTwinTenants(service.database, service.clock.now);
  return () => service[Symbol.asyncDispose]();
});
afterEach(() => metrics.clear());

const statusOf = async (path: string, token: string) => (await service.call(path, { token })).status;
const requests = (method: string, route: string, status: number | string) =>
  `sendroom_http_requests_total{method="${method}",route="${route}",status="${status}"}`;
const unknown = (status: number) => requests('other', 'unknown', status);
const IN_FLIGHT = 'sendroom_http_requests_in_flight';

const scrape = async () => parseSeries(await metrics.metrics());
/** A request is counted when its answer has been sent, which the caller may notice before. */
const expectSeries = (expected: Record<string, number>) =>
  expect
    .poll(async () => {
      const now = await scrape();
      return Object.fromEntries(Object.keys(expected).map((series) => [series, now.get(series)]));
    })
    .toEqual(expected);

test('requests are counted and timed by the template of their address, and no label names the caller or a contact', async () => {
  for (const path of ['/v1/domains', '/v1/domains?page=2', `/v1/contacts/${own.contact}/events`])
    expect(await statusOf(path, own.token)).toBe(200);
  expect(await statusOf('/v1/domains', 'x')).toBe(401);
  const timed = 'sendroom_http_request_duration_seconds';
  await expectSeries({
    [requests('GET', '/v1/domains', 200)]: 2,
    [requests('GET', '/v1/domains', 401)]: 1,
    [requests('GET', '/v1/contacts/:contact/events', 200)]: 1,
    [`${timed}_count{method="GET",route="/v1/domains"}`]: 3,
    [`${timed}_bucket{le="+Inf",method="GET",route="/v1/domains"}`]: 3,
    [IN_FLIGHT]: 0,
  });
  const text = await metrics.metrics();
  const { workspace, token, canary, contact, domain } = own;
  for (const secret of [workspace.uuid, token, canary, contact, domain, ...Object.values(SHARED_IDENTITIES)])
    expect(text).not.toContain(secret);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

test('a request that nobody could read, and one whose caller left, are counted too', async () => {
  expect((await sendRaw(service.port, 'NONSENSE\r\n\r\n')).status).toBe(400);
  expect((await service.call('/v1/contacts/%zz')).status).toBe(400);
  await expectSeries({ [unknown(400)]: 2 });
  const socket = connect(service.port, '127.0.0.1');
  socket.write('POST /session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n');
  socket.write('Sendroom-Console: 1\r\nExpect: 100-continue\r\n\r\n');
  await once(socket, 'data');
  await expectSeries({ [IN_FLIGHT]: 1 });
  socket.destroy();
  await expectSeries({ [requests('POST', '/session', 'aborted')]: 1, [IN_FLIGHT]: 0 });
});

test('requests beyond a limit are counted by the limit', async () => {
  for (let count = 0; count < 30; count++) await statusOf('/v1/domains', own.token);
  for (let count = 0; count < 70; count++) await statusOf('/v1/domains', 'x');
  await expectSeries({
    'sendroom_limited_requests_total{limit="requests",status="429"}': 10,
    'sendroom_limited_requests_total{limit="authentications",status="429"}': 10,
  });
});

const random = () => Math.random().toString(36).slice(2);

test('addresses and methods that nobody knows add no series', async () => {
  let sent = 0;
  async function send(method: string, path: string): Promise<void> {
    const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-${random()}: x\r\n\r\n`;
    await sendRawUntilAnswer(service.port, Buffer.from(request), { isHead: method === 'HEAD' });
    sent++;
  }
  const seriesNow = async () => [...(await scrape()).keys()].filter((series) => series.startsWith('sendroom_http_'));
  const paths = [() => `/${random()}`, () => `/v1/contacts/${random()}/${random()}`, () => `/%${random()}`];
  // One request for each status that there is.
  for (const path of ['/x', '/%zz', `/${'x'.repeat(9000)}`, `/v1/contacts/${random()}`]) await send('GET', path);
  await send('PUT', '/v1/domains');
  await expect.poll(async () => (await scrape()).get(unknown(405))).toBe(1);
  const before = await seriesNow();
  for (const method of METHODS.filter((name) => name !== 'CONNECT'))
    await Promise.all(paths.map((path) => send(method, path())));
  await expectSeries({ [IN_FLIGHT]: 0 });
  expect(await seriesNow()).toEqual(before);
  expect((await scrape()).get(unknown(404))).toBeGreaterThan(sent / 2);
});
