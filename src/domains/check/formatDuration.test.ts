import { expect, test } from 'vitest';
import { formatDuration } from './formatDuration.ts';

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min 0 s'],
  [3599, '59 min 59 s'],
  [3600, '1 h 0 min'],
  [90_061, '25 h 1 min'],
])('%d seconds are %s', (seconds, words) => {
  expect(formatDuration(seconds)).toBe(words);
});
