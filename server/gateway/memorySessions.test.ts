import { expect, test } from 'vitest';
import { MemorySessions } from './memorySessions.ts';

const SESSIONS = 10_000;
const SESSIONS_OF_TOKEN = 20;
const MINUTE = 60_000;

test('a session ends after 30 minutes without a call, and after 12 hours', () => {
  let now = Date.UTC(2026, 10, 28);
  const sessions = new MemorySessions<string>(() => now);
  const idle = sessions.open('token', 'idle', undefined);
  const busy = sessions.open('token', 'busy', undefined);
  now += 29 * MINUTE;
  expect([sessions.find(idle), sessions.find(busy)]).toEqual(['idle', 'busy']);
  for (let minutes = 29; minutes < 12 * 60; minutes += 20) {
    expect(sessions.find(busy)).toBe('busy');
    now += 20 * MINUTE;
  }
  expect([sessions.find(idle), sessions.find(busy)]).toEqual([null, null]);
  const late = sessions.open('token', 'late', undefined);
  now += 30 * MINUTE;
  expect(sessions.find(late)).toBeNull();
});

test('a token has twenty sessions, the oldest go first, and those of others stay', () => {
  const sessions = new MemorySessions<string>(() => 0);
  const other = sessions.open('other', 'other', undefined);
  const own: string[] = [];
  for (let count = 0; count < SESSIONS_OF_TOKEN + 5; count++) {
    own.push(sessions.open('own', String(count), undefined));
    // Using a session does not make it younger.
    if (count < SESSIONS_OF_TOKEN) expect(sessions.find(own[0] ?? '')).toBe('0');
  }
  expect(own.map((secret) => sessions.find(secret)).indexOf('5')).toBe(5);
  expect(own.filter((secret) => sessions.find(secret) !== null)).toHaveLength(SESSIONS_OF_TOKEN);
  sessions.endAll('own');
  expect([...own, other].map((secret) => sessions.find(secret)).filter(Boolean)).toEqual(['other']);
});

test('when there is no room for another session nobody loses theirs', () => {
  let now = Date.UTC(2026, 10, 28);
  const sessions = new MemorySessions<string>(() => now);
  const first = sessions.open('first', 'first', undefined);
  for (let index = 1; index < SESSIONS; index++)
    sessions.open(`token ${Math.floor(index / SESSIONS_OF_TOKEN)}`, 'other', undefined);
  const late = (earlier?: string) => sessions.open('late', 'late', earlier);
  expect(() => late()).toThrow(expect.objectContaining({ status: 503 }) as Error);
  expect([sessions.size, sessions.find(first)]).toEqual([SESSIONS, 'first']);

  // There is room for one that replaces the same browser's session, and after a sign-out.
  const again = late(first);
  expect(sessions.find(first)).toBeNull();
  sessions.end(again);
  late();
  expect(() => late()).toThrow();
  // Half an hour later all of them have expired.
  now += 30 * MINUTE;
  expect(sessions.find(late())).toBe('late');
});
