import { getContactActivity } from '#contract/activity.ts';
import { listQuery } from '../../api/apiQuery.ts';
import { isoDay } from './localDates.ts';
import type { ListState } from '../../table/listState.ts';
import { localZone } from '../../ui/format/time.ts';
import { choiceParam } from '../../url/urlState.ts';

export const SPANS = [
  { value: 'quarter', label: '90 days' },
  { value: 'year', label: 'Year' },
  { value: 'all', label: 'All time' },
] as const;
export type Span = (typeof SPANS)[number]['value'];
export const spanParam = choiceParam<Span>(['quarter', 'year', 'all']);

/** The counts of the events in `listed`. The service chooses the buckets: days, weeks or longer. */
export const activityQuery = (contact: string, span: Span, zone: string, listed?: ListState) => {
  const { search = '', filters } = listed ?? {};
  const from = beginOf(span, zone);
  const range = from === null ? {} : { from: from.toISOString() };
  return listQuery(getContactActivity, {
    contact,
    query: { ...range, zone, ...(search !== '' && { search }), ...filters },
  });
};

/** A midnight in `zone` (the browser's or UTC), so that the query stays the same all day; null for the first event. */
function beginOf(span: Span, zone: string): Date | null {
  if (span === 'all') return null;
  const [year = 0, month = 0, day = 0] = isoDay(new Date(), zone).split('-').map(Number);
  const begin = [span === 'year' ? year - 1 : year, month - 1, span === 'year' ? day : day - 89] as const;
  return zone === localZone ? new Date(...begin) : new Date(Date.UTC(...begin));
}
