import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankOf, toIndexedValue } from './values.ts';

const compare = <Value>(one: Value, other: Value) => Number(one > other) - Number(one < other);

test('ranks have the order of their numbers', () => {
  const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0, -0, 1e-300, -1e-300));
  fc.assert(
    fc.property(number, number, (one, other) => {
      expect(compare(rankOf('number', one), rankOf('number', other))).toBe(compare(one, other));
    }),
  );
});

test.each([
  ['Größe', { value_key: 'grosse', value_rank: null }],
  [' 007 ', { value_key: '007', value_rank: rankOf('number', 7) }],
  ['1e999', { value_key: '1e999', value_rank: null }],
  ['9'.repeat(16), { value_key: '9'.repeat(16), value_rank: null }],
  ['2026-01-31', { value_key: '2026-01-31', value_rank: rankOf('date', Date.UTC(2026, 0, 31)) }],
  ['2026-02-30', { value_key: '2026-02-30', value_rank: null }],
  ['2026-01-31T25:00:00Z', { value_key: '2026-01-31t25:00:00z', value_rank: null }],
  // Not in UTC: what is meant is not certain.
  ['2026-01-31T09:00:00', { value_key: '2026-01-31t09:00:00', value_rank: null }],
  [false, { value_key: 'false', value_rank: null }],
  ['x'.repeat(300), { value_key: 'x'.repeat(201), value_rank: null }],
  [null, null],
  [['a'], null],
  [{}.constructor, null],
])('%s is compared as %o', (value, compared) => expect(toIndexedValue(value)).toEqual(compared));
