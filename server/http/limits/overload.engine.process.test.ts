import { afterAll, beforeAll, expect, test } from 'vitest';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '#contract/problem.ts';
import { openDatabase } from '../../database/openDatabase.ts';
import { createTestStorage, ENGINE, type TestStorage } from '../../testing/testDatabase.ts';
import { putContacts } from '../../contacts/store.ts';
import { killServices, startMain, type TestMain } from '../../testing/testMain.ts';
import { createTwinTenants, type Tenant } from '../../testing/testTenants.ts';
import {
  type TimedAnswer,
  startLoad,
  startProcessLoad,
  answerTimePercentile,
  weightedMedianWait,
} from '../../testing/testLoad.ts';

// The shipped process, with more load than its capacity.

const SECONDS = 4;
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

type Line = TimedAnswer & { msg: string; route: string; request_id: string };

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

const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

/** A session cookie of this tenant. */
async function cookieOf({ token }: Tenant): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/session`, {
    method: 'POST',
    headers: { 'sendroom-console': '1', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

test('a session is one caller, however its cookie is written and whatever stands beside it', async () => {
  const [name = '', secret = ''] = (await cookieOf(one)).split('=');
  const cookies = Array.from({ length: 40 }, (_, at) => [
    `x${name}=${at}; ${name}=${secret}`,
    `__Host-${name}=${at}; ${name}=${secret}`,
    `${name}=${secret.slice(0, at)}${escaped(secret.charAt(at))}${secret.slice(at + 1)}`,
  ]).flat();
  const requests = cookies.map(
    (cookie) => `GET /v1/nothing HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nCookie: ${cookie}\r\n\r\n`,
  );
  const before = await answeredBefore(get('/v1/nothing', other), requests.slice(0, FLOODING));
  expect(before).toBeLessThan(FLOODING / 2);
});

const post = (path: string, headers: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const fields = (count: number) => `{${Array.from({ length: count }, (_, at) => `"${at.toString(36)}":1`).join()}}`;
const update = ({ token }: Tenant, body: string) =>
  post('/v1/contacts/nobody@example.com', `Authorization: Bearer ${token}`, body);

// What is refused or waits for its turn here is a body, before anything is asked of the database.
if (ENGINE === 'sqlite') {
  test.each([
    ['of a stranger', (body: string) => post('/session', 'Sendroom-Console: 1', body)],
    ['with a token', (body: string) => update(one, body)],
  ])('large bodies %s that are refused take hardly more time than to receive them', async (_, request) => {
    const body = `{"attributes":${fields(28_000)}}`;
    const answersTo = async (sent: string) => {
      const load = await startProcessLoad(port, { connections: 100, requests: [request(sent)] });
      await sleep(SECONDS * 500);
      return (await load.stop()).answers.length;
    };
    // A body above the limit, of which nothing is kept.
    const received = await answersTo(' '.repeat(256 * 1024 + 1));
    expect(await answersTo(body)).toBeGreaterThan(received / 5);
  });

  test('bodies as costly as they may be wait for themselves, and others hardly', async () => {
    const request = update(one, `{"attributes":${fields(10_900)}}`);
    const flooding = await startProcessLoad(port, { connections: 200, requests: [request] });
    const calm = startLoad(port, { connections: 2, next: () => get(`/v1/contacts/${other.contact}`, other), pause: 5 });
    const health = startLoad(port, { connections: 1, next: () => get('/healthz', { token: '' }), pause: 5 });
    await sleep(SECONDS * 1000);
    const [flood] = await Promise.all([flooding.stop(), calm.stop(), health.stop()]);
    for (const load of [calm, health]) {
      expect(load.answers.every(({ status }) => status === 200)).toBe(true);
      expect(weightedMedianWait(load)).toBeLessThan(answerTimePercentile(flood) / 3);
    }
  });

  test('bodies that are complete all at once are read one after the other, and others come between', async () => {
    const COUNT = 150;
    const message = update(one, `{"attributes":${fields(10_900)}}`);
    const sockets = Array.from({ length: COUNT }, () => connect(port, '127.0.0.1').setNoDelay());
    let answered = 0;
    const answers = sockets.map(async (socket) => {
      socket.write(message.slice(0, -1));
      await once(socket, 'data');
      answered++;
      socket.destroy();
    });
    await sleep(2000);
    expect(answered).toBe(0);
    for (const socket of sockets) socket.write(message.slice(-1));
    await sleep(100);
    for (const path of ['/healthz', `/v1/contacts/${other.contact}`]) {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: { authorization: `Bearer ${other.token}` },
      });
      expect(response.status).toBe(200);
    }
    expect(answered).toBeLessThan(COUNT / 2);
    await Promise.all(answers);
  });
}

test('when there is too much to do lists are refused first, and unsubscribing goes on', async () => {
  const start = service.stderr().length;
  const search = get('/v1/contacts?search=nobody', one);
  const lists = startLoad(port, { connections: 300, next: () => search });
  await expect.poll(() => lists.samples.has(503)).toBe(true);
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
  // A refusal takes nearly no time compared with it.
  const answers = answersInLog(start).filter(({ route }) => route === '/v1/contacts');
  expect(answerTimePercentile({ answers }, 503)).toBeLessThan(answerTimePercentile({ answers }, 200) / 10);
  const [head = '', body = ''] = lists.samples.get(503)?.split('\r\n\r\n') ?? [];
  expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(head).toMatch(/\r\nretry-after: [1-9]\r\n/i);
  expect(head).toMatch(/\r\nx-content-type-options: nosniff\r\n/i);
  expect(Problem.parse(JSON.parse(body)).detail).toMatch(/^The service has too much to do\./);
});
