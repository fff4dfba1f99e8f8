import { expect, test } from 'vitest';
import { compareToUsual, describeUsual, isFarAboveUsual, usualOf } from './usual.ts';

test.each([
  [[], 0],
  [[7], 7],
  [[4, 2], 3],
  [[1, 9, 2], 2],
  [[3, 100, 4, 0], 4],
  [[0, 0, 0, 50], 0],
  [[4, 5, 1, 9], 5],
])('the usual of %j is %d', (before, usual) => expect(usualOf(before)).toBe(usual));

const of = (today: number, usual: number) => ({ today, before: [usual, usual, usual, usual] });

test('small differences are usual, larger ones are more or less', () => {
  expect([of(2, 0), of(4, 2), of(11, 8), of(6, 8)].map(compareToUsual)).toEqual(Array(4).fill('usual'));
  expect([of(3, 0), of(5, 2), of(12, 8), of(180, 100)].map(compareToUsual)).toEqual(Array(4).fill('more'));
  expect([of(0, 3), of(4, 8), of(60, 100)].map(compareToUsual)).toEqual(Array(3).fill('less'));
});

test('somebody should look at three times the usual, from five on', () => {
  expect([of(5, 0), of(6, 2), of(30, 10)].every(isFarAboveUsual)).toBe(true);
  expect([of(4, 0), of(5, 2), of(29, 10)].some(isFarAboveUsual)).toBe(false);
});

test('in words', () => {
  expect([of(4, 4), of(18, 4), of(6, 3), of(5, 2), of(12, 8), of(9, 0), of(2, 12)].map(describeUsual)).toEqual([
    'usual 4',
    '4.5 times the usual 4',
    '2 times the usual 3',
    '2.5 times the usual 2',
    'more than the usual 8',
    'more than the usual 0',
    'less than the usual 12',
  ]);
});
