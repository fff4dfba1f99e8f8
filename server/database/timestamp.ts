/** Milliseconds. The timestamps of the interface have four digits for the year. */
export const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
export const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

/** A time in milliseconds as a timestamp of the interface (docs/interface.md, 2). */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}

export const timeOrNull = (time: number | null): string | null => (time === null ? null : timestamp(time));

/** The `updated_at` of a row that was last updated at `before`: later than that, even if the clock was set back. */
export function nextUpdateTime(now: number, before: number): number {
  return Math.min(Math.max(now, before + 1), LAST_TIME);
}

/** After all times. */
export const FOREVER = Number.MAX_SAFE_INTEGER;
