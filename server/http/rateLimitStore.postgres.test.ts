import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimitStore } from './rateLimitStore.ts';
import type { LeaseRateLimit } from '../database/rateLimitLeases.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { startTestProxy } from '../testing/processes/testProxy.ts';

const MINUTE = 60_000;

let t: TestDatabase;
let other: Database;
beforeEach(async () => {
  t = await openTestDatabase();
  other = await openDatabase(t.url);
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await other.close();
  await t[Symbol.asyncDispose]();
});

type RateLimitProcess = {
  admitted: (requests: number, limit: number, key?: string) => Promise<number>;
  warnings: string[];
};

function processWith(take: LeaseRateLimit | null): RateLimitProcess {
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (_: object, message: string) => void warnings.push(message), error: () => {} };
  const Store = createRateLimitStore(take, log);
  const store = new Store({});
  const one = (key: string, limit: number) =>
    new Promise<boolean>((resolve, reject) => {
      store.incr(key, (error, result) => (result ? resolve(result.current <= limit) : reject(error)), MINUTE, limit);
    });
  return {
    warnings,
    admitted: async (requests, limit, key = 'token read') => {
      const answers = await Promise.all(Array.from({ length: requests }, () => one(key, limit)));
      return answers.filter(Boolean).length;
    },
  };
}

async function nextWindow(): Promise<void> {
  await t.db.unscoped.write((trx) => sql`update allowances set ends_at = ends_at - ${MINUTE}`.execute(trx));
  vi.advanceTimersByTime(MINUTE);
}

test('two processes together let through what one would, in each window', async () => {
  const processes = [processWith(t.db.leaseRateLimit), processWith(other.leaseRateLimit)];
  for (let window = 0; window < 2; window++) {
    const admitted = await Promise.all(processes.map((one) => one.admitted(60, 50)));
    expect(admitted.reduce((sum, count) => sum + count)).toBe(50);
    expect(await processes[0]?.admitted(5, 50)).toBe(0);
    await nextWindow();
  }
});

test('a process that stops asking takes from the others no more than it has used itself, or a hundredth', async () => {
  const [idle, busy] = [processWith(t.db.leaseRateLimit), processWith(other.leaseRateLimit)];
  expect(await idle.admitted(1, 1000)).toBe(1);
  expect(await busy.admitted(1100, 1000)).toBe(990);
  await nextWindow();
  expect(await idle.admitted(100, 1000)).toBe(100);
  expect(await busy.admitted(1100, 1000)).toBeGreaterThanOrEqual(800);
});

test('while the database is away each counts a whole limit by itself and says so, and in the next window they count together', async () => {
  await using door = await startTestProxy(t.url);
  const outside = await openDatabase(door.url);
  const [near, far] = [processWith(t.db.leaseRateLimit), processWith(outside.leaseRateLimit)];
  expect(await far.admitted(5, 50)).toBe(5);
  await door.disconnect();
  expect(await far.admitted(60, 50)).toBe(45);
  expect(await far.admitted(60, 50, 'other')).toBe(50);
  expect(far.warnings).toEqual(['requests are counted by this process alone']);
  await door.reconnect();
  await nextWindow();
  expect((await far.admitted(60, 50)) + (await near.admitted(60, 50))).toBe(50);
  await outside.close();
});

test('a database that does not answer is one that is away', async () => {
  const one = processWith(() => new Promise(() => {}));
  expect(await one.admitted(60, 50)).toBe(50);
  expect(one.warnings).toHaveLength(1);
});

test('windows that have ended are removed, however many they are', async () => {
  const ended = sql`select 'k' || n, 1, 1, 1 from generate_series(1, 2500) as n`;
  await t.db.unscoped.write((trx) => sql`insert into allowances (key, ends_at, taken, granted) ${ended}`.execute(trx));
  const one = processWith(other.leaseRateLimit);
  for (const key of ['a', 'b', 'c']) expect(await one.admitted(1, 50, key)).toBe(1);
  const left = await t.db.unscoped.read((trx) => trx.selectFrom('allowances').select('key').orderBy('key').execute());
  expect(left.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
});
