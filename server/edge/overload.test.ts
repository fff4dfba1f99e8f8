import { afterAll, beforeAll, expect, test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import { openDatabase } from '../database/database.ts';
import { makeTestPlace, type TestPlace } from '../database/testDatabase.ts';
import { putContacts } from '../contacts/store.ts';
import { killServices, startMain, type TestMain } from '../testMain.ts';
import { createTwins, type Tenant } from '../testTenants.ts';
import { type Answer, startLoad, startProcessLoad, timeOf } from './testLoad.ts';

// The process as it is shipped, with more to do than it can.

const SECONDS = 4;
/** To search them takes some milliseconds. */
const CONTACTS = 5000;

let place: TestPlace;
let service: TestMain;
let port: number;
let one: Tenant;
let other: Tenant;

beforeAll(async () => {
  place = await makeTestPlace();
  const database = await openDatabase(place.url);
  [one, other] = await createTwins(database, Date.now());
  const people = Array.from({ length: CONTACTS }, (_, index) => ({ attributes: { company: `Company ${index}` } }));
  await database.write(one.workspace, (trx) => putContacts(one.workspace, trx, people, Date.now()));
  await database.close();
  service = startMain({ DATABASE_URL: place.url, RATE_LIMIT: '0', DNS_RECHECK: 'off' });
  port = Number(new URL(await service.address).port);
});
afterAll(async () => {
  killServices();
  await place[Symbol.asyncDispose]();
});

/** What the service itself says of the lists it answered, from this byte of its log on: who asks has more to do than it. */
function listsInLog(start: number): { answers: Answer[] } {
  const lines = service.stderr().slice(start).trim().split('\n');
  const said = lines.map((line) => JSON.parse(line) as Answer & { msg: string; route: string });
  return { answers: said.filter(({ msg, route }) => msg === 'answered' && route === '/v1/contacts') };
}

const get = (path: string, { token }: { token: string }) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
const list = (tenant: Tenant) => get('/v1/contacts?per_page=100', tenant);
const unsubscribe = ({ workspace, contact, token }: Tenant) =>
  `POST /v1/workspaces/${workspace.uuid}/contacts/${contact}/unsubscribe HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

test.each([
  ['contacts', (tenant: Tenant) => get(`/v1/contacts/${tenant.contact}`, tenant)],
  ['lists', list],
])('a token that floods with requests for %s waits for itself, and another hardly', async (_, request) => {
  const flooding = await startProcessLoad(port, { connections: 100, requests: [request(one)] });
  const calm = startLoad(port, { connections: 2, next: () => request(other), pause: 5 });
  await sleep(SECONDS * 1000);
  const [flood] = await Promise.all([flooding.stop(), calm.stop()]);
  expect(calm.answers.every(({ status }) => status === 200)).toBe(true);
  expect(timeOf(calm, 200)).toBeLessThan(timeOf(flood, 200) / 4);
});

test('when there is too much to do lists are refused first, and unsubscribing goes on', async () => {
  const start = service.stderr().length;
  const search = get('/v1/contacts?search=nobody', one);
  const lists = startLoad(port, { connections: 300, next: () => search });
  await expect.poll(() => lists.samples.has(503), { timeout: 20_000 }).toBe(true);
  const writes = startLoad(port, { connections: 2, next: () => unsubscribe(one), pause: 5 });
  const others = startLoad(port, { connections: 2, next: () => list(other), pause: 5 });
  const health = startLoad(port, { connections: 1, next: () => get('/healthz', { token: '' }), pause: 5 });
  await sleep(SECONDS * 1000);
  await Promise.all([lists, writes, others, health].map((load) => load.stop()));
  for (const load of [writes, others, health]) {
    expect(load.answers.length).toBeGreaterThan(SECONDS);
    expect(load.answers.filter(({ status }) => status !== 200)).toEqual([]);
  }
  expect(new Set(lists.answers.map(({ status }) => status))).toEqual(new Set([200, 503]));
  // To be refused takes no time beside it.
  const said = listsInLog(start);
  expect(timeOf(said, 503)).toBeLessThan(timeOf(said, 200) / 10);
  const [head = '', body = ''] = lists.samples.get(503)?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(head).toMatch(/\r\nretry-after: [1-9]\r\n/i);
  expect(head).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
  expect(Problem.parse(JSON.parse(body)).detail).toMatch(/^The service has too much to do\./);
});
