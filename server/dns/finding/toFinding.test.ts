import { expect, test } from 'vitest';
import { createFinding } from '../../testing/testReport.ts';
import { limitFinding } from './toFinding.ts';

test('a value to type is whole, or it is not offered', () => {
  const fix = { todo: 'Add it.', type: 'TXT', host: '@', name: 'a.test', priority: null };
  const offered = (length: number) =>
    limitFinding(createFinding('CODE', 'fail', { fix: { ...fix, value: 'x'.repeat(length) } })).fix?.value.length;
  expect([offered(2000), offered(2001)]).toEqual([2000, undefined]);
});
