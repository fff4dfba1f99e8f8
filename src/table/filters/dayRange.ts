import type { Filters, ListQuery } from '#contract/list.ts';
import { isoDay } from '../../ui/format/time.ts';
import { type FilterParam, textFilter, toListQuery, type ListState } from '../useList.ts';

// Lists that are filtered by days.

/** Also a day that is being typed. Anything else, such as a time, is named as unreadable. */
const dayParam: FilterParam = { parse: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined), format: String };

/** The filters of the URL: both days, and the zone that they are in. */
export const DAY_FILTERS = { from: dayParam, to: dayParam, zone: textFilter };

/** `from` and `to` are days in the URL, both included, in the URL's zone, or else in `own`. */
export function toDayQuery(state: ListState, own: string): ListQuery {
  const { from, to, zone: _, ...filters } = state.filters;
  const zone = zoneOfDays(state.filters, own);
  return {
    ...toListQuery(state),
    filters: {
      ...filters,
      ...(isDay(from) && { from: beginOf(from, 0, zone) }),
      ...(isDay(to) && { to: beginOf(to, 1, zone) }),
    },
  };
}

/** A date field has 0002, 0020 and 0202 while 2026 is typed. */
const isDay = (text: boolean | string | undefined): text is string =>
  typeof text === 'string' && /^[1-8]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The zone of the days in the URL, if it is valid. */
export function zoneOfDays({ zone }: Filters, own: string): string {
  if (typeof zone !== 'string') return own;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return own;
  }
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** When `day` plus `later` days begins in `zone`: the first minute of that date. */
function beginOf(day: string, later: number, zone: string): string {
  const inUtc = Date.parse(day) + later * 24 * HOUR;
  const wanted = new Date(inUtc).toISOString().slice(0, 10);
  // No zone is more than 14 hours from UTC.
  let [before, begin] = [inUtc - 15 * HOUR, inUtc + 15 * HOUR];
  while (begin - before > MINUTE) {
    const middle = Math.floor((before + begin) / 2 / MINUTE) * MINUTE;
    if (isoDay(middle, zone) < wanted) before = middle;
    else begin = middle;
  }
  return new Date(begin).toISOString();
}
