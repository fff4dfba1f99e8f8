import { afterEach, describe, expect, test, vi } from 'vitest';
import { exactUtc, parseTime, describeAge } from './time.ts';

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
    expect(describeAge(new Date(NOW - age), NOW)).toBe(words);
  });

  test('is a date beyond a month', () => {
    expect(describeAge(new Date(NOW - 31 * DAY), NOW)).toBeNull();
  });

  test('is never in the future: a clock is a little wrong, or the date says it', () => {
    expect(describeAge(new Date(NOW + 119 * SECOND), NOW)).toBe('just now');
    for (const ahead of [2 * MINUTE, HOUR, DAY, 400 * DAY]) {
      expect(describeAge(new Date(NOW + ahead), NOW)).toBeNull();
    }
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
    '1738324800',
    '31.01.2025',
    '2025-01-31',
    '2025-02-30T12:00:00Z',
    '2025-01-31T25:00:00Z',
    '2025-01-31T12:00:00 Europe/Berlin',
  ])('%j is none', (text) => {
    expect(parseTime(text)).toBeNull();
  });
});
