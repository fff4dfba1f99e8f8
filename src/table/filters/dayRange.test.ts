import { expect, test } from 'vitest';
import { firstListState } from '../useList.ts';
import { toDayQuery } from './dayRange.ts';

const LIST = { perPage: 25, sort: { id: 'since', desc: true }, sortable: [] };

const filtersOf = (from: string, to: string) =>
  toDayQuery({ ...firstListState(LIST), filters: { from, to } }, 'UTC').filters;

test('both days are included', () => {
  expect(filtersOf('2026-10-24', '2026-10-25')).toEqual({
    from: '2026-10-24T00:00:00.000Z',
    to: '2026-10-26T00:00:00.000Z',
  });
});

test.each([
  // The clocks went forward at midnight: the day began at one.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T03:00:00.000Z'],
  // The clocks went back: midnight was there twice.
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-11-27', '2026-11-26T10:00:00.000Z', '2026-11-27T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-11-27', '2026-11-27T11:00:00.000Z', '2026-11-28T11:00:00.000Z'],
  ['Asia/Kathmandu', '2026-11-27', '2026-11-26T18:15:00.000Z', '2026-11-27T18:15:00.000Z'],
  // None, so that the days are those of the page.
  ['Mars/Olympus', '2026-11-27', '2026-11-27T00:00:00.000Z', '2026-11-28T00:00:00.000Z'],
])('a day in %s is that of the URL, wherever it is read', (zone, day, from, to) => {
  const filters = { from: day, to: day, zone };
  expect(toDayQuery({ ...firstListState(LIST), filters }, 'UTC').filters).toEqual({ from, to });
});

test.each(['0002-01-01', '0202-12-31', '9999-12-31', '2026-13-01', '2026-1-1', 'yesterday', ''])(
  '%j is no day that filters: the log is not empty, or wrong, while a year is typed',
  (day) => expect(filtersOf(day, day)).toEqual({}),
);
