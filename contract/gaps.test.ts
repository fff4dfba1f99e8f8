import { expect, test } from 'vitest';
import { gaps } from './gaps.ts';
import { operations } from './interface.ts';

/** How often each section of the interface says "not shown". */
const NOT_SHOWN = { '2': 2, '3': 3, '4.1': 1, '4.3': 2, '4.4': 1, '4.5': 1, '5': 1, '6': 2, '7': 2, '8': 2, '9': 1 };

test('each "not shown" of the interface has a row', () => {
  const counts: Record<string, number> = {};
  for (const gap of gaps.filter((gap) => gap.notShown)) counts[gap.section] = (counts[gap.section] ?? 0) + 1;
  expect(counts).toEqual(NOT_SHOWN);
});

test('each operation of the interface has a gap of its own, and gaps name real operations', () => {
  const ids = operations.map((operation) => operation.id);
  for (const id of ids)
    expect(gaps.some((gap) => gap.operations.includes(id) && gap.operations.length < ids.length)).toBe(true);
  for (const gap of gaps) expect(ids).toEqual(expect.arrayContaining([...gap.operations]));
});
