import { afterEach, describe, expect, test, vi } from 'vitest';
import { exactUtc, localDateTime, localMoment, parseTime, relativeTime } from './time.ts';

const NOW = Date.parse('2025-03-12T12:00:00.000Z');
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('a time relative to now', () => {
  test.each([
    [0, 'just now'],
    [59.999 * SECOND, 'just now'],
    [MINUTE, '1 minute ago'],
    [2 * MINUTE - 1, '1 minute ago'],
    [HOUR - 1, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [DAY - 1, '23 hours ago'],
    [DAY, '1 day ago'],
    // Not "yesterday": that was the day before.
    [2 * DAY - HOUR, '1 day ago'],
    [31 * DAY - 1, '30 days ago'],
  ])('%i ms ago is %s', (age, words) => {
    expect(relativeTime(new Date(NOW - age), NOW)).toBe(words);
  });

  test('is the day beyond a month', () => {
    expect(relativeTime(new Date(NOW - 31 * DAY), NOW)).toMatch(/^\d+ Feb 2025$/);
  });

  test('is never in the future: a clock is a little wrong, or the date speaks for itself', () => {
    expect(relativeTime(new Date(NOW + 119 * SECOND), NOW)).toBe('just now');
    for (const ahead of [2 * MINUTE, HOUR, DAY, 400 * DAY]) {
      const then = new Date(NOW + ahead);
      expect(relativeTime(then, NOW)).toBe(localDateTime(then));
    }
  });
});

describe('a moment', () => {
  const now = new Date(2026, 10, 22, 23, 55);

  test('of today is a time', () => {
    expect(localMoment(new Date(2026, 10, 22, 0, 0, 0), now)).toBe('00:00:00');
    expect(localMoment(new Date(2026, 10, 22, 23, 59, 59), now)).toBe('23:59:59');
  });

  test.each([
    ['after midnight, some minutes later', new Date(2026, 10, 23, 0, 5), '23 Nov 2026, 00:05:00'],
    ['of yesterday', new Date(2026, 10, 21, 23, 55), '21 Nov 2026, 23:55:00'],
    ['of the same day of another year', new Date(2027, 10, 22, 12, 0), '22 Nov 2027, 12:00:00'],
  ])('%s has its day', (_, moment, words) => {
    expect(localMoment(moment, now)).toBe(words);
  });
});

describe('a timestamp', () => {
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    ['2025-01-31T12:00:00.123Z', '2025-01-31T12:00:00.123Z'],
    ['2025-01-31T12:00:00Z', '2025-01-31T12:00:00.000Z'],
    ['2025-01-31T12:00:00.123456Z', '2025-01-31T12:00:00.123Z'],
    ['2025-01-31T12:00:00.1Z', '2025-01-31T12:00:00.100Z'],
    ['2025-01-31T12:00:00+02:00', '2025-01-31T10:00:00.000Z'],
    ['2025-01-31 12:00:00', '2025-01-31T12:00:00.000Z'],
    ['2025-01-31T12:00:00', '2025-01-31T12:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ])('%s is %s, wherever one is', (text, utc) => {
    vi.stubEnv('TZ', 'Pacific/Auckland');
    const date = parseTime(text);
    expect(date && exactUtc(date)).toBe(utc);
  });

  // A browser would parse most of these as some date.
  test.each([
    null,
    '',
    'soon',
    '12',
    'event 7',
    '1738324800',
    '31.01.2025',
    '01/02/2025',
    '2025-01-31',
    '2025-02-30T12:00:00Z',
    '2025-13-01T12:00:00Z',
    '2025-01-31T25:00:00Z',
    '2025-01-31T12:00:00 Europe/Berlin',
  ])('%j is none', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});
