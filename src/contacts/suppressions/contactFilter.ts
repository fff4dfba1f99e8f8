import type { Filters } from '#contract/list.ts';

/**
 * The filter of Contacts for what Unsubscribed lists, where it can be saved and selected; null if it has none. Of the query: `from` and `to`
 * are the times at which the days of its zone begin, `to` excluded, and the filter has them in UTC.
 */
export function toContactFilter({ reason, origin, actor, from, to }: Filters): string | null {
  if (actor !== undefined) return null;
  const conditions = [
    ['reason:', reason],
    ['origin:', origin],
    ['since:>=', shorten(from)],
    ['since:<', shorten(to)],
  ].flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [`${name}${value}`] : []));
  return conditions.length === 0 ? null : conditions.join(' ');
}

/** A midnight in UTC is its day. */
const shorten = (time: Filters[string] | undefined) =>
  typeof time === 'string' ? time.replace(/T00:00:00\.000Z$/, '').replace(/:00\.000Z$/, 'Z') : undefined;
