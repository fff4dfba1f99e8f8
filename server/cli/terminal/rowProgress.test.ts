import { expect, test } from 'vitest';
import { describeProgress } from './rowProgress.ts';

test.each([
  [500, 0.1, 0.5, '500 lines'],
  [50_000, 0.25, 2, '50,000 lines, 25,000/s, 6 s left'],
  [1_000_000, 0.1, 50, '1,000,000 lines, 20,000/s, 8 min left'],
  [1_000_000, 0.001, 50, '1,000,000 lines, 20,000/s, 14 h left'],
  [40_000, 1, 2, '40,000 lines, 20,000/s, 0 s left'],
  [40_000, null, 2, '40,000 lines, 20,000/s'],
  [0, 0, 2, '0 lines, 0/s'],
])('%d lines, a share of %d after %d s: "%s"', (rows, share, seconds, said) => {
  expect(describeProgress(rows, 'lines', share, seconds)).toBe(said);
});
