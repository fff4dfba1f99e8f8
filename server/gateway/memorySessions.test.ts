import { expect, test } from 'vitest';
import { MemorySessions } from './memorySessions.ts';

const SESSIONS = 10_000;
const SESSIONS_OF_TOKEN = 20;

test('when there is no room for another session nobody loses theirs', () => {
  let now = Date.UTC(2026, 10, 28);
  const sessions = new MemorySessions<string>(() => now);
  const first = sessions.open('first', 'first', undefined);
  for (let index = 1; index < SESSIONS; index++)
    sessions.open(`token ${Math.floor(index / SESSIONS_OF_TOKEN)}`, 'other', undefined);
  const late = (earlier?: string) => sessions.open('late', 'late', earlier);
  expect(() => late()).toThrow(expect.objectContaining({ status: 503 }) as Error);
  expect([sessions.size, sessions.find(first)]).toEqual([SESSIONS, 'first']);

  // There is room for one in place of the same browser's session, and after a sign-out.
  const again = late(first);
  expect(sessions.find(first)).toBeNull();
  sessions.end(again);
  late();
  expect(() => late()).toThrow();
  // Half an hour later all of them have expired.
  now += 30 * 60_000;
  expect(sessions.find(late())).toBe('late');
});
