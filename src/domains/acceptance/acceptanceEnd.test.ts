import { expect, test } from 'vitest';
import { dayAfter, endOfDay } from './acceptanceEnd.ts';

test.each([
  [0, '2026-12-30'],
  [1, '2026-12-31'],
  [2, '2027-01-01'],
  [61, '2027-03-01'],
])('%i days after 30 December 2026 is %s', (days, day) => {
  expect(dayAfter(new Date(2026, 11, 30, 23, 59), days)).toBe(day);
});

test.each(['', 'tomorrow', '2026-2-1', '2026-02-31', '2026-13-01', '20261-01-01'])('%j is no day', (text) => {
  expect(endOfDay(text)).toBeNull();
});

test('a day ends with its last second, in local time', () => {
  expect(endOfDay('2026-02-28')).toEqual(new Date(2026, 1, 28, 23, 59, 59));
});
