import { expect, test } from 'vitest';
import { createFinding, createRecord } from '../../testing/testCheck.ts';
import { isDone, rankRecord } from './recordOrder.ts';

const record = createRecord('TXT', 'x.test', 'v');

test('what is wrong comes first, then what is stored as wrong, what is not known, what waits, and what is right', () => {
  const ranks = [
    rankRecord({ ...record, is_valid: true }, createFinding({ result: 'fail' })),
    rankRecord({ ...record, is_valid: false }, null),
    rankRecord({ ...record, is_valid: true }, createFinding({ result: 'unknown' })),
    rankRecord({ ...record, is_valid: false }, createFinding({ result: 'pending' })),
    rankRecord({ ...record, is_valid: false }, createFinding({ result: 'warn' })),
    rankRecord({ ...record, is_valid: false }, createFinding({ result: 'ok' })),
  ];
  expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
  expect(new Set(ranks).size).toBe(ranks.length);
});

test('a record is done when the DNS says so, or else the last result', () => {
  expect(isDone({ ...record, is_valid: true }, null)).toBe(true);
  expect(isDone({ ...record, is_valid: false }, createFinding({ result: 'ok' }))).toBe(true);
  expect(isDone({ ...record, is_valid: true }, createFinding({ result: 'pending' }))).toBe(false);
  expect(isDone(record, null)).toBe(false);
});
