import { expect, test } from 'vitest';
import { formatShare } from './Figures.tsx';

test('two parts of a whole are a hundred percent together', () => {
  expect([formatShare(1710, 2000), formatShare(290, 2000)]).toEqual(['86%', '14%']);
  for (let count = 2; count < 200; count++) {
    const shares = [formatShare(count, 200), formatShare(200 - count, 200)];
    const [one = 0, other = 0] = shares.map((share) => Number(share.replace('%', '')));
    if (shares.every((share) => !/[<>]/.test(share))) expect(one + other, shares.join(' ')).toBe(100);
  }
});

test('what is there is never none of it, and what is missing never all', () => {
  expect([formatShare(1, 1000), formatShare(999, 1000)]).toEqual(['< 1%', '> 99%']);
  expect([formatShare(0, 1000), formatShare(1000, 1000)]).toEqual(['0%', '100%']);
});
