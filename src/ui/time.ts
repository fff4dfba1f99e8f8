export const LOCALE = 'en-GB';
const dateTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const time = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });
const shortTime = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en');

/** The zone every local time of the console is in, for example "Europe/Berlin". */
export const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const localDateTime = (date: Date) => dateTime.format(date);
/** To the second. */
export const localTime = (date: Date) => time.format(date);
/** To the second, with the date where that is not today. */
export const localMoment = (moment: Date, now = new Date()) =>
  date.format(moment) === date.format(now) ? localTime(moment) : localDateTime(moment);
export const clockTime = (date: Date | number) => shortTime.format(date);
/** UTC to the millisecond, as the interface writes it. */
export const exactUtc = (date: Date) => date.toISOString();

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * The time of an ISO 8601 timestamp of any precision, in UTC unless it has an offset (docs/interface.md, 2). Null for
 * any other text, even where `Date` would accept it.
 */
export function parseTime(text: string | null): Date | null {
  const match = TIMESTAMP.exec(text ?? '');
  if (match === null) return null;
  const [, day = '', time = '', fraction = '0', zone = 'Z'] = match;
  const date = new Date(`${day}T${time}.${fraction.padEnd(3, '0')}${zone}`);
  if (Number.isNaN(date.getTime())) return null;
  // Some browsers take the 30th of February for the 2nd of March.
  return new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8)) ? date : null;
}

const UNITS: readonly [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [86_400 * 31, 86_400, 'day'],
];

/** "3 hours ago"; the date after a month. A future time, which a wrong clock can cause, is a full date and time. */
export function relativeTime(then: Date, now = Date.now()): string {
  const seconds = (now - then.getTime()) / 1000;
  if (seconds < 60 && seconds > -120) return 'just now';
  const step = UNITS.find(([limit]) => seconds < limit);
  if (seconds < 0) return dateTime.format(then);
  if (step === undefined) return date.format(then);
  return relative.format(-Math.floor(seconds / step[1]), step[2]);
}
