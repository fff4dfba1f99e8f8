import type { FilterParam } from '../../../table/useList.ts';

/** The values of `changed` in the URL, besides a day. */
export const CHANGED = ['yesterday', '7d', 'visit'] as const;

/** A day that exists, like `2026-01-31`. */
export const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text;

export const changedParam: FilterParam = {
  parse: (text) => CHANGED.find((word) => word === text) ?? (isDay(text) ? text : undefined),
  format: String,
};

type Moment = {
  now: Date;
  /** When this browser showed the domains before; null for never. */
  visit: string | null;
  isUtc: boolean;
};

/** From when on a change counts, as an ISO time; null for any time. Yesterday and days begin at midnight. */
export function changedSince(changed: string, { now, visit, isUtc }: Moment): string | null {
  if (changed === 'visit') return visit;
  if (changed === 'yesterday') return midnight(now, 1, isUtc);
  if (changed === '7d') return midnight(now, 7, isUtc);
  return new Date(`${changed}T00:00${isUtc ? 'Z' : ''}`).toISOString();
}

function midnight(now: Date, daysAgo: number, isUtc: boolean): string {
  const day = new Date(now);
  if (isUtc) day.setUTCHours(0, 0, 0, 0);
  else day.setHours(0, 0, 0, 0);
  if (isUtc) day.setUTCDate(day.getUTCDate() - daysAgo);
  else day.setDate(day.getDate() - daysAgo);
  return day.toISOString();
}
