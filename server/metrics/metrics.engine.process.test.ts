import { once } from 'node:events';
import { Agent, METHODS, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../database/openDatabase.ts';
import { ENGINE, createTestStorage, type TestStorage } from '../testing/testDatabase.ts';
import { sendRaw } from '../testing/rawHttp.ts';
import { killServices } from '../testing/testMain.ts';
import { createTwinTenants, SHARED_IDENTITIES, type Tenant } from '../testing/testTenants.ts';
import { createToken } from '../workspaces/store.ts';
import { type MeasuredService, waitForSeries, startMeasuredService } from '../testing/testMetrics.ts';

// The metrics of a real process, on both engines.

let place: TestStorage;
let own: Tenant;
let otherToken: string;
let service: MeasuredService;

beforeAll(async () => {
  place = await createTestStorage();
  const database = await openDatabase(place.url);
  [own] = await createTwinTenants(database, Date.now());
  ({ token: otherToken } = await createToken(own.workspace, database, { name: 'other', role: 'admin' }, Date.now()));
  await database.close();
  service = await startMeasuredService({ DATABASE_URL: place.url, RATE_LIMIT: '20' });
});
afterAll(async () => {
  killServices();
  await place[Symbol.asyncDispose]();
});

const get = (path: string, token: string) =>
  fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status);
const requests = (method: string, route: string, status: number | string) =>
  `sendroom_http_requests_total{method="${method}",route="${route}",status="${status}"}`;
const unknown = (status: number) => requests('other', 'unknown', status);
const limited = (limit: string) => `sendroom_limited_requests_total{limit="${limit}",status="429"}`;

/** The increase of each series since `before`. */
async function since(before: Map<string, number>): Promise<(series: string) => number> {
  const after = await service.scrape();
  return (series) => (after.get(series) ?? 0) - (before.get(series) ?? 0);
}

const random = () => Math.random().toString(36).slice(2);

test('requests are counted and timed by the template of their address', async () => {
  const before = await service.scrape();
  for (const path of ['/v1/domains', '/v1/domains?page=2', `/v1/contacts/${own.contact}/events`]) {
    expect(await get(path, own.token)).toBe(200);
  }
  expect(await get('/v1/domains', 'x')).toBe(401);
  expect(await waitForSeries(service, requests('GET', '/v1/domains', 401), 1)).toBe(1);
  const grown = await since(before);
  expect(grown(requests('GET', '/v1/domains', 200))).toBe(2);
  expect(grown(requests('GET', '/v1/contacts/:contact/events', 200))).toBe(1);
  const timed = 'sendroom_http_request_duration_seconds';
  expect(grown(`${timed}_count{method="GET",route="/v1/domains"}`)).toBe(3);
  expect(grown(`${timed}_bucket{le="60",method="GET",route="/v1/domains"}`)).toBe(3);
  expect(grown(`${timed}_sum{method="GET",route="/v1/domains"}`)).toBeGreaterThan(0);
  expect(grown('sendroom_http_requests_in_flight')).toBe(0);
});

test('a request that nobody could read, and one whose caller left, are counted too', async () => {
  const before = await service.scrape();
  const { port } = new URL(service.url);
  expect((await sendRaw(Number(port), 'NONSENSE\r\n\r\n')).status).toBe(400);
  expect((await fetch(`${service.url}/v1/contacts/%zz`)).status).toBe(400);
  expect((await since(before))(unknown(400))).toBe(2);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('POST /session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n');
  socket.write('Sendroom-Console: 1\r\nExpect: 100-continue\r\n\r\n');
  await once(socket, 'data');
  expect((await service.scrape()).get('sendroom_http_requests_in_flight')).toBe(1);
  socket.destroy();
  expect(await waitForSeries(service, requests('POST', '/session', 'aborted'), 1)).toBe(1);
  expect(await waitForSeries(service, 'sendroom_http_requests_in_flight', 0)).toBe(0);
});

test('requests beyond a limit are counted by the limit', async () => {
  const before = await service.scrape();
  const answers = await Promise.all(Array.from({ length: 30 }, () => get('/v1/domains', otherToken)));
  const refused = answers.filter((status) => status === 429).length;
  expect(refused).toBeGreaterThanOrEqual(10);
  const failures = await Promise.all(Array.from({ length: 70 }, () => get('/v1/domains', 'x')));
  const beyond = failures.filter((status) => status === 429).length;
  expect(beyond).toBeGreaterThanOrEqual(10);
  await waitForSeries(service, 'sendroom_http_requests_in_flight', 0);
  const grown = await since(before);
  expect(grown(limited('requests'))).toBe(refused);
  expect(grown(limited('authentications'))).toBe(beyond);
});

test('a connection that was closed because of what its caller did is counted by the reason', async () => {
  const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
  const closed = 'sendroom_http_connections_closed_total{reason="too many requests ahead of their answers"}';
  expect(await waitForSeries(service, closed, 1)).toBe(1);
  socket.destroy();
  expect((await service.scrape()).get('sendroom_http_connections')).toBeGreaterThan(0);
});

test('sessions are counted from sign-in to sign-out', async () => {
  const headers = { 'content-type': 'application/json', 'sendroom-console': '1' };
  const body = JSON.stringify({ token: own.token });
  const before = await service.scrape();
  const signIn = await fetch(`${service.url}/session`, { method: 'POST', headers, body });
  const cookie = signIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  expect(await waitForSeries(service, 'sendroom_sessions', 1)).toBe(1);
  await fetch(`${service.url}/session`, { method: 'DELETE', headers: { ...headers, cookie } });
  expect(await waitForSeries(service, 'sendroom_sessions', 0)).toBe(0);
  expect((await since(before))('sendroom_sessions_opened_total')).toBe(1);
});

test('the way to the data is measured', async () => {
  const now = await service.scrape();
  expect(now.get('sendroom_ready')).toBe(1);
  expect(now.get('sendroom_recheck_due')).toBe(2);
  expect(now.get('sendroom_recheck_lag_seconds')).toBe(0);
  for (const pool of ['reads', 'writes']) {
    const max = now.get(`sendroom_database_connections_max{pool="${pool}"}`);
    expect(max).toBeGreaterThan(0);
    expect(now.get(`sendroom_database_connections{pool="${pool}",state="used"}`)).toBe(0);
    expect(now.get(`sendroom_database_connections{pool="${pool}",state="idle"}`)).toBeLessThanOrEqual(max ?? 0);
    expect(now.get(`sendroom_database_waiting{pool="${pool}"}`)).toBe(0);
  }
  const sizes = ['file', 'wal', 'disk_free', 'disk_size'].map((part) => now.get(`sendroom_database_${part}_bytes`));
  if (ENGINE === 'sqlite') for (const size of sizes) expect(size).toBeGreaterThan(0);
  else expect(sizes).toEqual([undefined, undefined, undefined, undefined]);
});

test('10,000 addresses and methods that nobody knows add no series', async () => {
  const { port } = new URL(service.url);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const methods = METHODS.filter((method) => method !== 'CONNECT');
  const paths = [
    () => `/${random()}`,
    () => `/v1/${random()}`,
    () => `/v1/contacts/${random()}/${random()}`,
    () => `/assets/${random()}.js?${random()}`,
    () => `/%${random()}`,
    () => `//${random()}/..;/${random()}`,
    () => `/v1/workspaces/${random()}/contacts/${random()}/${random()}`,
  ];
  async function send(method: string, path: string): Promise<void> {
    const sent = request({ agent, port, method, path, headers: { 'user-agent': random(), [`x-${random()}`]: 'x' } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    answer.resume();
    await once(answer, 'end');
  }
  // One request for each status that there is.
  for (const path of ['/x', '/%zz', `/${'x'.repeat(9000)}`]) await send('GET', path);
  await send('PUT', '/v1/domains');
  await send('GET', `/v1/contacts/${random()}`);
  await waitForSeries(service, unknown(405), 1);
  const seriesNow = async () => [...(await service.scrape()).keys()].filter((series) => series.startsWith('sendroom_'));
  const before = await seriesNow();
  for (let sent = 0; sent < 10_000; sent += 20) {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const turn = sent + index;
        return send(methods[turn % methods.length] ?? '', paths[turn % paths.length]?.() ?? '');
      }),
    );
  }
  await waitForSeries(service, 'sendroom_http_requests_in_flight', 0);
  expect(await seriesNow()).toEqual(before);
  const counted = (await service.scrape()).get(unknown(404)) ?? 0;
  expect(counted).toBeGreaterThan(6_000);
  agent.destroy();
});

test('no label says who called, for what, or about whom', async () => {
  const text = await service.text();
  expect(text).toContain('route="/v1/contacts/:contact/events"');
  const { workspace, token, canary, contact, domain } = own;
  for (const secret of [
    workspace.uuid,
    token,
    otherToken,
    canary,
    contact,
    domain,
    ...Object.values(SHARED_IDENTITIES),
  ]) {
    expect(text).not.toContain(secret);
  }
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});
