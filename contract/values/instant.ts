const CANONICAL_LENGTH = '2026-01-31T09:30:00.000Z'.length;
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Of what can't be parsed, after the name of its field. */
export const NO_TIME = 'must be a time with its zone, like 2026-01-31T09:00:00Z.';

/**
 * Parses an ISO 8601 time into milliseconds since the epoch, truncated; null when it is not valid. A time without a
 * zone is rejected, because it depends on the machine. So is a date like 30 February, which `Date.parse` would move to
 * March.
 */
export function parseInstant(text: string): number | null {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return null;
  // Fast path: most times are in the format of the interface.
  if (text.length === CANONICAL_LENGTH && new Date(instant).toISOString() === text) return instant;
  const [, local] = INSTANT.exec(text) ?? [];
  if (local === undefined) return null;
  const asUtc = Date.parse(`${local}Z`);
  const isOnCalendar = !Number.isNaN(asUtc) && new Date(asUtc).toISOString().startsWith(local);
  return isOnCalendar && isFourDigitYear(instant) ? instant : null;
}

/** A time zone can move a time out of the allowed years. */
const isFourDigitYear = (instant: number) => new Date(instant).toISOString().length === CANONICAL_LENGTH;
