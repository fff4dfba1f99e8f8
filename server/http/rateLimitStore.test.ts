import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimitStore } from './rateLimitStore.ts';

const MINUTE = 60_000;
const LIMIT = 5;

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const log = { info: () => {}, warn: () => {}, error: () => {} };

function createCounter(): (key: string) => Promise<boolean> {
  const store = new (createRateLimitStore(null, log))({});
  return (key) =>
    new Promise((resolve, reject) => {
      store.incr(key, (error, result) => (result ? resolve(result.current <= LIMIT) : reject(error)), MINUTE, LIMIT);
    });
}

test('a key that used its limit up has no more until its minute is over, however many others come', async () => {
  const isWithin = createCounter();
  for (let request = 0; request < LIMIT; request++) expect(await isWithin('busy')).toBe(true);
  vi.advanceTimersByTime(MINUTE / 2);
  for (let other = 0; other < 20_000; other++) await isWithin(`other ${other}`);
  expect(await isWithin('busy')).toBe(false);
  vi.advanceTimersByTime(MINUTE / 2);
  expect(await isWithin('busy')).toBe(true);
});

test('windows that have ended take no memory', async () => {
  const deleted = vi.spyOn(Map.prototype, 'delete');
  const isWithin = createCounter();
  for (let other = 0; other < 100; other++) await isWithin(`other ${other}`);
  vi.advanceTimersByTime(MINUTE);
  await isWithin('next');
  const ended = deleted.mock.calls.filter(([key]) => String(key).startsWith('other '));
  expect(new Set(ended.map(([key]) => key as unknown)).size).toBe(100);
});
