import { getContactActivity } from '#contract/activity.ts';
import { listQuery } from '../../api/apiQuery.ts';
import { isoDay } from './localDates.ts';
import type { ListState } from '../../table/listState.ts';
import { localZone } from '../../ui/format/time.ts';
import { choiceParam } from '../../url/urlState.ts';

/** How much of the story the picture shows, and what the URL calls it. */
export const SPANS = [
  { value: 'quarter', label: '90 days' },
  { value: 'year', label: 'Year' },
  { value: 'all', label: 'All time' },
] as const;
export type Span = (typeof SPANS)[number]['value'];
export const spanParam = choiceParam<Span>(['quarter', 'year', 'all']);

/** The counts of a span in `zone`, of the events that `listed` finds, whose buckets the service chooses: days, weeks or longer. */
export const activityQuery = (contact: string, span: Span, zone: string, listed?: ListState) => {
  const { search = '', filters } = listed ?? {};
  const from = beginOf(span, zone);
  const range = from === null ? {} : { from: from.toISOString() };
  return listQuery(getContactActivity, {
    contact,
    query: { ...range, zone, ...(search !== '' && { search }), ...filters },
  });
};

/** A midnight in `zone`, so that it is the same all day; null is the first event. `zone` is that of the browser, or UTC. */
function beginOf(span: Span, zone: string): Date | null {
  if (span === 'all') return null;
  const [year = 0, month = 0, day = 0] = isoDay(new Date(), zone).split('-').map(Number);
  const begin = [span === 'year' ? year - 1 : year, month - 1, span === 'year' ? day : day - 89] as const;
  return zone === localZone ? new Date(...begin) : new Date(Date.UTC(...begin));
}
