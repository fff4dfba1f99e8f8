import { expect, test } from 'vitest';
import { barsOf, findBar } from './bars.ts';

test('a date leads to the bar that has it, or the nearest one', () => {
  const buckets = ['2026-03-01', '2026-03-08', '2026-03-15'].map((day) => ({
    from: `${day}T00:00:00.000Z`,
    counts: [],
    others: 1,
    newer: 0,
  }));
  const bars = barsOf(
    {
      buckets,
      names: [],
      step: 'week',
      name_count: 0,
      to: '2026-03-22T00:00:00.000Z',
      total: 3,
      first_at: null,
      last_at: null,
    },
    'UTC',
  );
  const found = (day: string) => new Date(findBar(bars, day, 'UTC')?.from ?? 0).toISOString().slice(0, 10);
  expect(found('2026-03-08')).toBe('2026-03-08');
  expect(found('2026-03-14')).toBe('2026-03-08');
  expect(found('2025-01-01')).toBe('2026-03-01');
  expect(found('2027-01-01')).toBe('2026-03-15');
  expect(findBar([], '2026-03-08', 'UTC')).toBeUndefined();
});
