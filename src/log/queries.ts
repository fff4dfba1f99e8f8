import { listChanges } from '#contract/log.ts';
import type { ListQuery } from '#contract/list.ts';
import { listQuery } from '../api/apiQuery.ts';
import { toListQuery, type ListOptions, type ListState } from '../table/listState.ts';

export const LOG: ListOptions = {
  perPage: 25,
  sort: { id: 'created_at', desc: true },
  sortable: listChanges.list.sortable,
  choices: listChanges.list.choices,
  texts: [...listChanges.list.texts, ...listChanges.list.times],
};

export const logQuery = (zone: string) => (state: ListState) =>
  listQuery(listChanges, { query: toLogQuery(state, zone) });

/** `from` and `to` are days in the URL, both included, as days are in `zone`. */
export function toLogQuery(state: ListState, zone: string): ListQuery {
  const { from, to, ...filters } = state.filters;
  return {
    ...toListQuery(state),
    filters: {
      ...filters,
      ...(isDay(from) && { from: beginOf(from, 0, zone) }),
      ...(isDay(to) && { to: beginOf(to, 1, zone) }),
    },
  };
}

/** Whatever else the URL says is no filter. The field of a date says 0002, 0020 and 0202 while 2026 is typed. */
const isDay = (text: boolean | string | undefined): text is string =>
  typeof text === 'string' && /^[1-8]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** When `day`, or one that is so many days later, begins. Times are shown in UTC or in the zone of the browser. */
function beginOf(day: string, later: number, zone: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const begin =
    zone === 'UTC' ? new Date(Date.UTC(year, month - 1, date + later)) : new Date(year, month - 1, date + later);
  return begin.toISOString();
}
