import fastifyCookie from '@fastify/cookie';
import fastify from 'fastify';
import { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { OperationKind } from './operationKind.ts';
import { OverloadControl } from './overloadControl.ts';

// The order in which requests start, and which are refused. The clock stands still unless a test moves it.

const SECOND = 1000;
const HEAVY: IncomingHttpHeaders = { authorization: 'Bearer heavy' };
const CALM: IncomingHttpHeaders = { authorization: 'Bearer calm' };

let control: OverloadControl;
// The plugin reads cookies only once it belongs to a server.
beforeAll(() => fastify().register(fastifyCookie).ready());
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  control = new OverloadControl('sendroom');
});
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise((resolve) => setImmediate(resolve));

const heavy = (count: number) => Array.from({ length: count }, () => HEAVY);

function schedule(callers: readonly IncomingHttpHeaders[], { method = 'GET', url = '/v1/domains' } = {}): number[] {
  const begun: number[] = [];
  for (const [number, headers] of callers.entries())
    control.schedule({ method, url, headers } as IncomingMessage, '192.0.2.1', () => begun.push(number));
  return begun;
}

const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;
const cookies = Array.from('secret', (letter, at) => [
  `sendroom=secret; x${at}=1`,
  `xsendroom=${at}; sendroom=secret`,
  `__Host-sendroom=${at}; sendroom=secret`,
  `sendroom=${'secret'.slice(0, at)}${escaped(letter)}${'secret'.slice(at + 1)}`,
]).flat();

test.each<[caller: string, requests: IncomingHttpHeaders[]]>([
  ['a token', heavy(100)],
  [
    'a token, however its scheme is written',
    Array.from('BEARER').flatMap((sign) => [HEAVY, { authorization: `${sign} heavy` }]),
  ],
  ['a session, however its cookie is written and whatever cookies come with it', cookies.map((cookie) => ({ cookie }))],
  ['an address without token or session', Array.from({ length: 100 }, (_, at) => ({ cookie: `other=${at}` }))],
])('%s is one caller, which waits for itself, and another does not', async (_, requests) => {
  const begun = schedule([...requests, CALM]);
  expect(begun).toEqual([0, 1, 2, 3, requests.length]);
  await turn();
  await turn();
  expect(begun).toHaveLength(9);
  for (let turns = 0; turns < requests.length; turns++) await turn();
  expect(begun.filter((number) => number < requests.length)).toEqual([...requests.keys()]);
});

test('health and readiness wait for nobody', () => {
  schedule(heavy(100));
  for (const url of ['/healthz', '/readyz']) expect(schedule([HEAVY], { url })).toEqual([0]);
});

const reject = (kind: OperationKind, headers = HEAVY) => control.rejectIfOverloaded(kind, headers);

test('when requests are late the reads of that caller are refused first, and its writes go on', async () => {
  run('heavy', 'read').end();
  schedule(heavy(20));
  expect(() => reject('read')).not.toThrow();
  vi.advanceTimersByTime(2 * SECOND);
  expect(() => reject('read')).toThrow(expect.objectContaining({ status: 503, headers: { 'retry-after': '2' } }));
  expect(() => reject('write')).not.toThrow();
  expect(() => reject('read', CALM)).not.toThrow();
  // A refusal takes less time than a start, so more of them come in a turn.
  expect(schedule(heavy(40))).toHaveLength(32);
  for (let turns = 0; turns < 5; turns++) await turn();
  // If a single request has waited that long, all have: for a second all reads are refused.
  expect(() => reject('read', CALM)).toThrow();
  vi.advanceTimersByTime(SECOND);
  expect(() => reject('read')).not.toThrow();
});

test('tokens that nobody has seen yet make nobody else late, however many are', async () => {
  schedule(Array.from({ length: 4096 }, (_, at) => ({ authorization: `Bearer invented ${at}` })));
  vi.advanceTimersByTime(2 * SECOND);
  await turn();
  expect(() => reject('read', CALM)).not.toThrow();
});

test('bodies that are complete all at once are read a few in a turn, and others come between', async () => {
  const socket = { destroyed: false };
  const read: string[] = [];
  const parse = (client: string, from = socket) =>
    control.scheduleParse(client, { socket: from } as IncomingMessage, () => read.push(client));
  const bodies = [...Array.from({ length: 50 }, () => parse('heavy')), parse('calm')];
  expect(read).toEqual(['heavy', 'heavy', 'heavy', 'heavy', 'calm']);
  const left = parse('heavy', { destroyed: true });
  await expect(left).rejects.toMatchObject({ status: 503, message: 'Client closed request.' });
  await Promise.all(bodies);
  expect(read).toHaveLength(51);
});

function run(token: string, kind: OperationKind, workspace = token) {
  const headers: IncomingHttpHeaders = { authorization: `Bearer ${token}` };
  const { promise: work, resolve: end } = Promise.withResolvers<void>();
  const response = Object.assign(new EventEmitter().setMaxListeners(0), { req: { headers } });
  const state = { isRunning: false, end, leave: () => response.emit('close') };
  const done = control.run({ workspace, token }, kind, response as unknown as ServerResponse, () => {
    state.isRunning = true;
    return work;
  });
  return Object.assign(state, { done });
}

const runs = (count: number, token: string, kind: OperationKind) =>
  Array.from({ length: count }, () => run(token, kind));
const countRunning = (all: readonly { isRunning: boolean }[]) => all.filter(({ isRunning }) => isRunning).length;

test('a token has 16 requests in flight and 200 reads waiting; more are refused, and nobody else is', async () => {
  const lists = runs(216, 'heavy', 'read');
  expect([countRunning(lists), control.queuedCount]).toEqual([16, 200]);
  await expect(run('heavy', 'read').done).rejects.toMatchObject({ status: 503, limit: 'overload' });
  // From then on they are refused before anything is done for them, for a moment.
  expect(() => reject('read')).toThrow();
  expect(() => reject('read', CALM)).not.toThrow();
  vi.advanceTimersByTime(100);
  expect(() => reject('read')).not.toThrow();

  const calm = run('calm', 'read');
  expect(calm.isRunning).toBe(true);
  // Writes have room of their own, and come first.
  const write = run('heavy', 'write');
  lists[0]?.end();
  await expect.poll(() => write.isRunning).toBe(true);
  expect(countRunning(lists)).toBe(16);
});

test('writes that nobody can take are refused before anything is done for them, and not at once', async () => {
  runs(266, 'heavy', 'write');
  expect(() => reject('write')).not.toThrow();
  await expect(run('heavy', 'write').done).rejects.toMatchObject({ status: 503, limit: 'overload' });
  expect(() => reject('write')).toThrow(expect.objectContaining({ status: 503 }));
  expect(() => reject('write', CALM)).not.toThrow();
  const begun = schedule([HEAVY, CALM], { method: 'POST' });
  expect(begun).toEqual([1]);
  vi.advanceTimersByTime(250);
  await turn();
  await turn();
  expect(begun).toEqual([1, 0]);
  expect(() => reject('write')).not.toThrow();
});

test('300 tokens of a workspace have no more than one while another workspace is there, and all of it else', async () => {
  const flood = () =>
    Array.from({ length: 300 }, (_, at) => {
      const one = run(`minted ${at}`, 'read', 'mint');
      one.done.catch(() => {});
      return one;
    });
  const alone = flood();
  expect(countRunning(alone)).toBe(80);
  // The next place is theirs who have none, and the others of the flood wait until it has no more than a token.
  const first = run('calm', 'read');
  alone[0]?.end();
  await expect.poll(() => first.isRunning).toBe(true);
  for (const one of alone.slice(1, 80)) one.end();
  await expect.poll(() => countRunning(alone)).toBe(80 + 16);
  // Once a workspace has 400 waiting others of it are refused, and nobody else.
  const [more, again] = [flood(), flood()];
  expect([countRunning([...more, ...again]), control.queuedCount]).toEqual([0, 400]);
  await expect(again[0]?.done).rejects.toMatchObject({ status: 503 });
  expect(run('calm', 'read').isRunning).toBe(true);
  expect(run('calm', 'write').isRunning).toBe(true);
});

test('many tokens of a workspace take one turn, once they are known', async () => {
  const tokens = Array.from({ length: 100 }, (_, at) => `minted ${at}`);
  for (const token of tokens) run(token, 'read', 'mint').end();
  const begun = schedule([...tokens.map((token) => ({ authorization: `Bearer ${token}` })), CALM]);
  expect(begun).toEqual([0, 1, 2, 3, tokens.length]);
});

test('however many callers there are, 16 requests begin in a turn', async () => {
  const begun = schedule(Array.from({ length: 300 }, (_, at) => ({ authorization: `Bearer unknown ${at}` })));
  expect(begun).toHaveLength(16);
  for (let turns = 1; turns <= 4; turns++) {
    await turn();
    expect(begun).toHaveLength(turns * 16);
  }
});

test('where the work behind a start takes long, the next one begins in another turn', async () => {
  const begun: number[] = [];
  for (let number = 0; number < 7; number++)
    control.schedule({ method: 'GET', url: '/v1/domains', headers: HEAVY } as IncomingMessage, '192.0.2.1', () => {
      begun.push(number);
      queueMicrotask(() => vi.advanceTimersByTime(10));
    });
  for (let turns = 1; turns <= 4; turns++) {
    await turn();
    expect(begun).toHaveLength(3 + turns);
  }
});

test('reads of many leave room for writes', () => {
  const reads = Array.from({ length: 10 }, (_, at) => runs(16, `token ${at}`, 'read')).flat();
  expect(countRunning(reads)).toBe(80);
  const writes = [...runs(16, 'writer', 'write'), ...runs(16, 'other writer', 'write')];
  expect(countRunning(writes)).toBe(20);
});

test('a caller who leaves gives up its place, and one that has waited too long lets no more of its token wait', async () => {
  const [first, ...others] = runs(18, 'heavy', 'read');
  const [waiting] = others.slice(15);
  waiting?.leave();
  await expect(waiting?.done).rejects.toMatchObject({ message: 'Client closed request.' });
  expect(control.queuedCount).toBe(1);
  vi.advanceTimersByTime(6 * SECOND);
  await expect(run('heavy', 'read').done).rejects.toMatchObject({ status: 503 });
  first?.end();
  await expect.poll(() => control.queuedCount).toBe(0);
});
