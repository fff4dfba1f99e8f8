import { expect, test } from 'vitest';
import { describeWait, formatDuration } from './formatDuration.ts';

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

const MINUTE = 60_000;

test.each([
  [-5 * MINUTE, 'soon'],
  [0, 'soon'],
  [1, 'in 1 min'],
  [12 * MINUTE, 'in 12 min'],
  [59 * MINUTE + 1, 'in 1 h'],
  [60 * MINUTE, 'in 1 h'],
  [61 * MINUTE, 'in 2 h'],
  [24 * 60 * MINUTE, 'in 24 h'],
])('in %d ms is %s', (wait, words) => {
  expect(describeWait(new Date(1_000_000 + wait), 1_000_000)).toBe(words);
});
