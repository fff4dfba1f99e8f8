import { listChanges } from '#contract/auditLog.ts';
import { listQuery } from '../api/apiQuery.ts';
import { DAY_FILTERS, toDayQuery } from '../table/filters/dayRange.ts';
import type { ListOptions, ListState } from '../table/useList.ts';

export const LOG: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listChanges.list.sortable,
  choices: listChanges.list.choices,
  texts: listChanges.list.texts,
  params: DAY_FILTERS,
};

export const logQuery = (zone: string) => (state: ListState) =>
  listQuery(listChanges, { query: toDayQuery(state, zone) });
