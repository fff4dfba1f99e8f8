import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { Problem } from '#contract/problem.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { createTestStorage, type TestStorage } from '../testing/testDatabase.ts';
import { seededRandom } from '../demo/seededRandom.ts';
import { sendRawUntilAnswer } from '../testing/rawHttp.ts';
import { type Operation, readContract } from '../testing/testContract.ts';
import { type HostileRequest, createHostileRequest } from '../testing/testHostileRequests.ts';
import { killServices, startMain, type TestMain } from '../testing/testMain.ts';
import { callAt } from '../testing/testService.ts';
import { snapshotTenantAccess, createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';

// The service as a process, under hostile requests. `HOSTILE_REQUESTS=100000` is the long form, `HOSTILE_SEED` repeats
// a run.

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 1500);
const SEED = Number(process.env.HOSTILE_SEED ?? Date.now() % 1e9);
/** The longest time of an answer in milliseconds. In the short form, beside other tests, only a hang is too long, which the test would not survive. */
const SLOW = REQUESTS > 1500 ? 1000 : Infinity;
const AT_ONCE = 8;
/** Requests after which the stored data is checked. */
const BATCH = REQUESTS > 1500 ? 250 : 50;
/** Batches after which a new workspace is used, so that the check does not take longer and longer. */
const BATCHES = 1000 / BATCH;
/** The largest heap of the service in MiB. */
const HEAP = 160;
vi.setConfig({ testTimeout: 60_000 + REQUESTS * 20 });

let place: TestStorage;
let database: Database;
let service: TestMain;
let port: number;
let url: string;
let operations: Operation[];

beforeAll(async () => {
  place = await createTestStorage();
  database = await openDatabase(place.url);
  const settings = {
    DATABASE_URL: place.url,
    DEMO: 'off',
    RATE_LIMIT: '0',
    DNS_RECHECK: 'off',
    TRUST_PROXY: '127.0.0.1',
  };
  service = startMain(settings, [`--max-old-space-size=${HEAP}`]);
  url = await service.address;
  port = Number(new URL(url).port);
  operations = await readContract({ call: (path) => callAt(url, path) });
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stdout.write(`HOSTILE_SEED=${SEED} repeats it.\n`);
});
afterAll(async () => {
  killServices();
  await database.close();
  await place[Symbol.asyncDispose]();
});

type HostileExchange = { sent: HostileRequest; status: number; body: string; headers: Headers; milliseconds: number };

const statuses = new Map<number, number>();
const marks = { refused: new Set<string>(), stored: new Set<string>() };
let slowest = 0;

test('no answer is our fault or late, and nothing is stored that was refused', async ({ task }) => {
  const random = seededRandom(SEED);
  const seconds = performance.now();
  let twins = await newTwins();
  for (let batch = 0; batch < REQUESTS / BATCH; batch++) {
    if (batch % BATCHES === BATCHES - 1) {
      await keepMarks(twins);
      twins = await newTwins();
    }
    const requests = Array.from({ length: BATCH }, (_, index) =>
      createHostileRequest(random, operations, twins[0], batch * BATCH + index),
    );
    const met = await sendAll(requests);
    for (const one of met) await check(one);
    // Repeats each refused request alone: it must change nothing.
    const refused = met.filter(({ status }) => status === 0 || status >= 400).map(({ sent }) => sent);
    const before = await stateOf(twins);
    const again = await sendAll(refused);
    if (again.every(({ status }) => status === 0 || status >= 400)) expect(await stateOf(twins)).toBe(before);
  }
  await keepMarks(twins);
  expect([...marks.refused].filter((mark) => marks.stored.has(mark))).toEqual([]);
  const counted = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${count} x ${status || 'closed'}`);
  const rate = Math.round(REQUESTS / ((performance.now() - seconds) / 1000));
  Object.assign(task.meta, {
    measured: `${REQUESTS} requests, ${rate}/s, worst ${Math.round(slowest)} ms: ${counted.join(', ')}`,
  });
});

async function newTwins(): Promise<[Tenant, Tenant]> {
  return createTwinTenants(database, Date.now());
}

async function sendAll(all: readonly HostileRequest[]): Promise<HostileExchange[]> {
  const waiting = [...all];
  const met: HostileExchange[] = [];
  const work = async () => {
    for (let sent = waiting.shift(); sent !== undefined; sent = waiting.shift()) met.push(await send(sent));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return met;
}

async function send(sent: HostileRequest): Promise<HostileExchange> {
  const start = performance.now();
  const { status, body, headers } = await sendRawUntilAnswer(port, sent.bytes, { isHead: sent.method === 'HEAD' });
  return { sent, status, headers, body, milliseconds: performance.now() - start };
}

async function check(first: HostileExchange): Promise<void> {
  // A late or refused request may be the fault of others; alone it is its own.
  const isAlone = first.milliseconds >= SLOW || first.status === 503;
  const met = isAlone ? await send(first.sent) : first;
  const { sent, status, headers, milliseconds } = met;
  const about = `${status} ${met.body.slice(0, 300)} to ${sent.bytes.toString('latin1').slice(0, 500)}`;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  slowest = Math.max(slowest, milliseconds);
  expect(milliseconds, about).toBeLessThan(SLOW);
  // Node closes the connection of a CONNECT without a listener, and of no other.
  if (status === 0) return expect(sent.method, about).toBe('CONNECT');
  expect(status, about).toBeGreaterThanOrEqual(200);
  expect(status, about).toBeLessThan(500);
  expect(headers.get('x-request-id'), about).toMatch(/^[0-9a-f-]{36}$/);
  if (status < 400) return;
  marks.refused.add(sent.mark);
  if (sent.method === 'HEAD') return;
  const problem = Problem.parse(JSON.parse(met.body));
  expect(problem.status, about).toBe(status);
  expect(JSON.stringify({ ...problem, errors: [] }), about).not.toMatch(LEAKS);
  // A field may be named; its content is never repeated.
  for (const { message } of problem.errors ?? []) expect(message, about).not.toContain(sent.mark);
  expect(problem.detail, about).not.toContain(sent.mark);
  expect(JSON.stringify([...headers]), about).not.toContain(sent.mark);
}

/** Texts that only internal errors have. */
const LEAKS =
  /node_modules|\.ts\b|\bat \w+ \(|\/(home|work|tmp|usr|var)\/|\b(FST|HPE|ERR|SQLITE)_|select .* from|kysely|postgres|sqlite|ECONN/i;

async function stateOf(tenants: readonly Tenant[]): Promise<string> {
  const parts = tenants.flatMap((tenant) => [
    snapshotTenantData(tenant, database),
    // A refused sign-in with a token of another workspace is logged each time.
    snapshotTenantAccess(tenant, database, 'sign_in_refused'),
  ]);
  return (await Promise.all(parts)).join('\n');
}

/** Every mark in the data of these. */
async function keepMarks(tenants: readonly Tenant[]): Promise<void> {
  for (const [mark] of (await stateOf(tenants)).matchAll(/zq\d{7}qz/g)) marks.stored.add(mark);
}

test('and afterwards it is well, of a bounded size, and its log is one JSON object a line without any of it', async ({
  task,
}) => {
  expect((await callAt(url, '/readyz')).status).toBe(200);
  const [own] = await newTwins();
  const list = await callAt(url, '/v1/contacts', { token: own.token });
  expect(await list.json()).toMatchObject({ meta: { total: 1 } });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();

  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${service.child.pid}/status`, 'utf8');
    const peak = Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
    Object.assign(task.meta, { measured: `at most ${peak} MiB of memory, with ${HEAP} for objects` });
    expect(peak).toBeLessThan(HEAP + 512);
  }
  expect(await service.stop()).toBe(0);
  const lines = service.stderr().trimEnd().split('\n');
  expect(lines.length).toBeGreaterThanOrEqual(REQUESTS / 2);
  for (const line of lines) {
    expect(JSON.parse(line), line).toMatchObject({
      time: expect.any(String) as string,
      msg: expect.any(String) as string,
    });
    expect(line).not.toMatch(/zq\d{7}qz|"level":"(error|fatal)"/);
  }
});
