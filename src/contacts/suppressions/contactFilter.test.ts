import { expect, test } from 'vitest';
import { toDayQuery } from '../../table/filters/dayRange.ts';
import type { ListState } from '../../table/useList.ts';
import { toContactFilter } from './contactFilter.ts';

const STATE: ListState = {
  page: 1,
  perPage: 25,
  search: '',
  sort: { id: 'since', desc: true },
  filters: { reason: 'complaint', from: '2026-05-01', to: '2026-05-31' },
};

test.each([
  ['UTC', 'since:>=2026-05-01 since:<2026-06-01'],
  ['America/Los_Angeles', 'since:>=2026-05-01T07:00Z since:<2026-06-01T07:00Z'],
  ['Asia/Kathmandu', 'since:>=2026-04-30T18:15Z since:<2026-05-31T18:15Z'],
])('days of %s are the same times in Contacts', (zone, times) => {
  expect(toContactFilter(toDayQuery(STATE, zone).filters ?? {})).toBe(`reason:complaint ${times}`);
});
