import { expect, test } from 'vitest';
import { formatUntil } from './formatUntil.ts';

test.each([
  ['the same day', '2026-11-22T02:10:33.900Z', '2026-11-22T00:00:00.000Z', '02:10:33 UTC'],
  ['the last moment of the day', '2026-11-22T23:59:59.999Z', '2026-11-22T00:00:00.000Z', '23:59:59 UTC'],
  [
    'some minutes later, after midnight',
    '2026-11-23T00:05:00.000Z',
    '2026-11-22T23:55:00.000Z',
    '2026-11-23 00:05:00 UTC',
  ],
  ['the same time two days later', '2026-11-24T02:10:00.000Z', '2026-11-22T02:10:00.000Z', '2026-11-24 02:10:00 UTC'],
  ['the same day of another year', '2027-01-01T02:10:00.000Z', '2026-01-01T02:10:00.000Z', '2027-01-01 02:10:00 UTC'],
  ['over already, yesterday', '2026-11-21T23:59:00.000Z', '2026-11-22T00:01:00.000Z', '2026-11-21 23:59:00 UTC'],
])('%s', (_, until, now, words) => {
  expect(formatUntil(Date.parse(until), Date.parse(now))).toBe(words);
});
