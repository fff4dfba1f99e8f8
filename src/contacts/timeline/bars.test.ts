import { expect, test } from 'vitest';
import { type Bar, placeOf } from './bars.ts';

/** Of a list of ten events. */
const day = (total: number, newer: number): Bar => ({ from: 0, to: 1, total, newer, parts: [], when: '' });

test.each([
  ['three events after four newer ones', day(3, 4), 4, 3, null],
  ['no event between four newer and six older ones', day(0, 4), 4, 5, 'before'],
  ['before all events', day(0, 10), 9, 0, 'after'],
  ['after all events', day(0, 0), 0, 9, 'before'],
])('a day with %s leads to its own events, or to the next ones', (_, of, newestFirst, oldestFirst, instead) => {
  expect(placeOf(of, 10, true)).toEqual({ offset: newestFirst, instead });
  expect(placeOf(of, 10, false)).toEqual({ offset: oldestFirst, instead });
});

test('without events there is nowhere to go', () => expect(placeOf(day(0, 0), 0, true)).toBeNull());
