import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { timestamp } from './timestamp.ts';

const LIMIT = 8_640_000_000_000_000;

test('every time, before 1970 and beyond the year 9999 too, is written as the platform writes it', () => {
  fc.assert(
    fc.property(fc.integer({ min: -LIMIT, max: LIMIT }), fc.nat(100_000_000), (time, later) => {
      expect(timestamp(time)).toBe(new Date(time).toISOString());
      const next = Math.min(time + later, LIMIT);
      expect(timestamp(next)).toBe(new Date(next).toISOString());
    }),
  );
});
