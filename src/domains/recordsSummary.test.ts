import { describe, expect, test } from 'vitest';
import { summarise } from './recordsSummary.ts';

describe('a summary', () => {
  test.each<[(boolean | null)[], object]>([
    [[], { total: 0, valid: 0, broken: 0, unknown: 0 }],
    [[true, true, false], { total: 3, valid: 2, broken: 1, unknown: 0 }],
    [[null, false, true], { total: 3, valid: 1, broken: 1, unknown: 1 }],
    [[null], { total: 1, valid: 0, broken: 0, unknown: 1 }],
  ])('of verdicts %j counts each for itself', (verdicts, counts) => {
    const records = verdicts.map((is_valid) => ({ type: 'TXT', name: 'x.test', value: '', is_valid }));
    expect(summarise(records)).toEqual(counts);
  });

  test('of records that were not sent is empty', () => {
    expect(summarise(null)).toEqual({ total: 0, valid: 0, broken: 0, unknown: 0 });
  });
});
