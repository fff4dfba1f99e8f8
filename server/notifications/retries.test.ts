import { expect, test } from 'vitest';
import { nextAttempt } from './retries.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const failed = { isDelivered: false as const, detail: 'x' };

/** The minutes after the first attempt at which the others are, each made when it's due. */
function walk(more: object = {}): number[] {
  const times: number[] = [];
  let now = 0;
  for (let attempts = 1; attempts < 50; attempts++) {
    const next = nextAttempt({ created_at: 0, attempts }, { ...failed, ...more }, now);
    if (next === null) break;
    times.push(next);
    now = next;
  }
  return times;
}

test('tries again for a day, with growing pauses that differ', () => {
  const times = walk();
  expect(times[0]).toBeLessThan(MINUTE);
  expect(times.at(-1)).toBeGreaterThanOrEqual(24 * HOUR);
  expect(times.at(-1)).toBeLessThan(26 * HOUR);
  expect(times.length).toBeGreaterThanOrEqual(8);
  const all = Array.from({ length: 20 }, () => walk().join());
  expect(new Set(all).size).toBeGreaterThan(1);
});

test('a final refusal and 410 aren’t repeated', () => {
  expect(walk({ isFinal: true })).toEqual([]);
  expect(walk({ isGone: true })).toEqual([]);
});

test('what the stop of the service kept from its end is due at once, also the last attempt', () => {
  const halted = { ...failed, isHalted: true as const };
  expect(nextAttempt({ created_at: 0, attempts: 12 }, halted, 25 * HOUR)).toBe(25 * HOUR);
});

test('waits as long as the receiver asks, but not for days', () => {
  const [short = 0, long = 0] = [120, 10 * 24 * 3600].map((retryAfter) =>
    Number(nextAttempt({ created_at: 0, attempts: 1 }, { ...failed, retryAfter }, 0)),
  );
  expect(short).toBeGreaterThanOrEqual(2 * MINUTE);
  expect(short).toBeLessThan(3 * MINUTE);
  expect(long).toBeLessThan(7 * HOUR);
});

test('after a pause of the service the rest isn’t due at once', () => {
  const late = Number(nextAttempt({ created_at: 0, attempts: 3 }, failed, 20 * HOUR));
  expect(late).toBeGreaterThanOrEqual(20 * HOUR + 5000);
});

test('attempts whose outcome nobody knows don’t use up the day', () => {
  const after = 24 * MINUTE;
  const next = Number(nextAttempt({ created_at: 0, attempts: 13 }, failed, after));
  expect(next).toBeGreaterThanOrEqual(30 * MINUTE);
  expect(next).toBeLessThan(31 * MINUTE);
  expect(nextAttempt({ created_at: 0, attempts: 13 }, failed, 25 * HOUR)).toBeNull();
});
