import { FIRST_TIME, LAST_TIME, timestamp } from '../database/timestamp.ts';

const CANONICAL_LENGTH = '2026-01-31T09:30:00.000Z'.length;
const INSTANT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Milliseconds since the epoch of an ISO 8601 time with its zone, cut off after the millisecond; null when `text` is
 * none. A time without a zone means another moment on another machine, and a 30 February would be read as a day in March.
 */
export function parseInstant(text: string): number | null {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) return null;
  // Most times are written as the interface writes them, and such a one needs no closer look.
  if (text.length === CANONICAL_LENGTH && timestamp(instant) === text) return instant;
  const [, local] = INSTANT.exec(text) ?? [];
  if (local === undefined) return null;
  const asUtc = Date.parse(`${local}Z`);
  const isOnCalendar = !Number.isNaN(asUtc) && new Date(asUtc).toISOString().startsWith(local);
  return isOnCalendar && isFourDigitYear(instant) ? instant : null;
}

/** A zone can lead out of them. */
function isFourDigitYear(instant: number): boolean {
  return instant >= FIRST_TIME && instant <= LAST_TIME;
}
