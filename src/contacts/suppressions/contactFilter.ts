import type { Filters } from '#contract/list.ts';

/** The filter of Contacts for what Unsubscribed lists, where it can be saved and selected; null if it has none. Its days are in UTC. */
export function toContactFilter({ reason, origin, actor, from, to }: Filters): string | null {
  if (actor !== undefined) return null;
  const conditions = [
    ['reason:', reason],
    ['origin:', origin],
    ['since:>=', from],
    ['since:<=', to],
  ].flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [`${name}${value}`] : []));
  return conditions.length === 0 ? null : conditions.join(' ');
}
