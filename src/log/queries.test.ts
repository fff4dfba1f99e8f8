import { expect, test } from 'vitest';
import { firstListState } from '../table/listState.ts';
import { LOG, toLogQuery } from './queries.ts';

const filtersOf = (from: string, to: string) =>
  toLogQuery({ ...firstListState(LOG), filters: { from, to } }, 'UTC').filters;

test('both days are included', () => {
  expect(filtersOf('2026-10-24', '2026-10-25')).toEqual({
    from: '2026-10-24T00:00:00.000Z',
    to: '2026-10-26T00:00:00.000Z',
  });
});

test.each(['0002-01-01', '0202-12-31', '9999-12-31', '2026-13-01', '2026-1-1', 'yesterday', ''])(
  '%j is no day that filters: the log is not empty, or wrong, while a year is typed',
  (day) => expect(filtersOf(day, day)).toEqual({}),
);
