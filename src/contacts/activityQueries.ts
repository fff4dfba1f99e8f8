import { getContactActivity } from '#contract/activity.ts';
import { listQuery } from '../api/apiQuery.ts';
import { localZone } from '../ui/time.ts';
import { choiceParam } from '../url/urlState.ts';

/** How much of the story the picture shows, and what the URL calls it. */
export const SPANS = [
  { value: 'quarter', label: '90 days' },
  { value: 'year', label: 'Year' },
  { value: 'all', label: 'All time' },
] as const;
export type Span = (typeof SPANS)[number]['value'];
export const spanParam = choiceParam<Span>(['quarter', 'year', 'all']);

/** The counts of a span, whose buckets the service chooses: days, weeks or longer. */
export const activityQuery = (contact: string, span: Span, search: string) => {
  const from = beginOf(span);
  const range = from === null ? {} : { from: from.toISOString() };
  return listQuery(getContactActivity, {
    contact,
    query: { ...range, zone: localZone, ...(search !== '' && { search }) },
  });
};

/** A local midnight, so that it is the same all day; null is the first event. */
function beginOf(span: Span): Date | null {
  if (span === 'all') return null;
  const begin = new Date();
  begin.setHours(0, 0, 0, 0);
  if (span === 'year') begin.setFullYear(begin.getFullYear() - 1);
  else begin.setDate(begin.getDate() - 89);
  return begin;
}
