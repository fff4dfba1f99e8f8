import { afterAll, beforeAll, expect, test } from 'vitest';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Problem } from '#contract/problem.ts';
import { openDatabase } from '../../database/openDatabase.ts';
import { createTestStorage, type TestStorage } from '../../testing/testDatabase.ts';
import { putContacts } from '../../contacts/store.ts';
import { killServices, startMain, type TestMain } from '../../testing/testMain.ts';
import { createTwinTenants, type Tenant } from '../../testing/testTenants.ts';
import { startLoad } from '../../testing/testLoad.ts';

// The shipped process, with more load than its capacity.

/** To each of those who are not in excess, before the test ends. */
const ANSWERS = 20;
/** A search of them takes some milliseconds. */
const CONTACTS = 5000;
/** Connections of a flooding token. In a single queue, a later request would wait until each of them is answered. */
const FLOODING = 100;
const ROUNDS = 5;

let place: TestStorage;
let service: TestMain;
let port: number;
let one: Tenant;
let other: Tenant;

beforeAll(async () => {
  place = await createTestStorage();
  const database = await openDatabase(place.url);
  [one, other] = await createTwinTenants(database, Date.now());
  const people = Array.from({ length: CONTACTS }, (_, index) => ({
    attributes: { email: `person${index}@example.com`, company: `Company ${index}` },
  }));
  await database.write(one.workspace, (scope) => putContacts(scope, people, Date.now()));
  await database.close();
  service = startMain({ DATABASE_URL: place.url, RATE_LIMIT: '0', DNS_RECHECK: 'off' });
  port = Number(new URL(await service.address).port);
});
afterAll(async () => {
  killServices();
  await place[Symbol.asyncDispose]();
});

type Line = { msg: string; request_id: string };

/** The log of answered requests from this byte on. The client itself is too busy to measure. */
function answersInLog(start: number): Line[] {
  const whole = service.stderr().slice(start).split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'answered');
}

const get = (path: string, { token }: { token: string }) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
const list = (tenant: Tenant) => get('/v1/contacts?per_page=100', tenant);
const unsubscribe = ({ workspace, contact, token }: Tenant) =>
  `POST /v1/workspaces/${workspace.uuid}/contacts/${contact}/unsubscribe HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;

/** A connection over which a request has been answered. */
async function openConnection(request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  socket.write(request);
  await answeredId(socket);
  return socket;
}

/** The id of the next answered request. */
async function answeredId(socket: Socket): Promise<string> {
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return /\r\nx-request-id: (\S+)/i.exec(answer.toString())?.[1] ?? '';
}

/**
 * The number of requests of a flood that are answered before one of another caller, which arrives after all of them
 * while the process is paused: the median of a few rounds. The order is that of the log, so it does not depend on the
 * speed of the machine.
 */
async function answeredBefore(request: string, flooding: readonly string[]): Promise<number> {
  const calm = await openConnection(request);
  const flood = await Promise.all(flooding.map(openConnection));
  for (const socket of flood) socket.resume();
  const counts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = service.stderr().length;
    service.child.kill('SIGSTOP');
    for (const [at, socket] of flood.entries()) socket.write(flooding[at] ?? '');
    calm.write(request);
    service.child.kill('SIGCONT');
    const id = await answeredId(calm);
    await expect.poll(() => answersInLog(start).length).toBeGreaterThan(flood.length);
    counts.push(answersInLog(start).findIndex((line) => line.request_id === id));
  }
  for (const socket of [calm, ...flood]) socket.destroy();
  return counts.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
}

test.each([
  ['contacts', (tenant: Tenant) => get(`/v1/contacts/${tenant.contact}`, tenant)],
  ['lists', list],
  ['what is answered at once', (tenant: Tenant) => get('/v1/nothing', tenant)],
])('a token that floods with requests for %s waits for itself, and another hardly', async (_, request) => {
  const flooding = Array.from({ length: FLOODING }, () => request(one));
  const before = await answeredBefore(request(other), flooding);
  expect(before).toBeLessThan(FLOODING / 2);
});

test('when there is too much to do lists are refused first, and unsubscribing goes on', async () => {
  const search = get('/v1/contacts?search=nobody', one);
  const lists = startLoad(port, { connections: 300, next: () => search });
  await expect.poll(() => lists.samples.has(503)).toBe(true);
  const writes = startLoad(port, { connections: 2, next: () => unsubscribe(one), pause: 5 });
  const others = startLoad(port, { connections: 2, next: () => list(other), pause: 5 });
  const health = startLoad(port, { connections: 1, next: () => get('/healthz', { token: '' }), pause: 5 });
  for (const load of [writes, others, health]) await expect.poll(() => load.answers.length).toBeGreaterThan(ANSWERS);
  await Promise.all([lists, writes, others, health].map((load) => load.stop()));
  for (const load of [writes, others, health]) {
    expect(load.answers.filter((status) => status !== 200)).toEqual([]);
  }
  expect(new Set(lists.answers)).toEqual(new Set([200, 503]));
  const [head = '', body = ''] = lists.samples.get(503)?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(head).toMatch(/\r\nretry-after: [1-9]\r\n/i);
  expect(head).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
  expect(Problem.parse(JSON.parse(body)).detail).toMatch(/^The service has too much to do\./);
});
