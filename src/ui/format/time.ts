import { readSetting, useSetting, writeSetting } from '../page/settings.ts';

/** The browser's language, with the digits and calendar of the data (docs/decisions/0029-dates-and-numbers.md). */
export const LOCALE = new Intl.Locale(languageOf(navigator.language), {
  calendar: 'gregory',
  numberingSystem: 'latn',
});

/** Some browsers start with a system locale, such as "en-US@posix". */
function languageOf(name: string): string {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? 'en-GB';
  } catch {
    return 'en-GB';
  }
}

export const localZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const UTC = 'UTC';

/** The zone of shown times: the browser's, or UTC. */
const readTimeZone = (): string => zoneOf(readSetting('time-zone'));
export const useTimeZone = (): string => zoneOf(useSetting('time-zone'));
const zoneOf = (setting: string | null) => (setting === UTC ? UTC : localZone);
export const setUtc = (isUtc: boolean): void => writeSetting('time-zone', isUtc ? UTC : null);

/** Isolates a right-to-left date: English words around it would reorder its parts. */
const isolate = (text: string) => (/[\u0590-\u08FF\u200F]/.test(text) ? `\u2068${text}\u2069` : text);

/** Formats dates in a zone, and marks UTC unless `isPart`. */
export function dateFormat(options: Intl.DateTimeFormatOptions, isPart = false, locale: Intl.Locale | string = LOCALE) {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (date: Date | number, zone = readTimeZone()): string => {
    let format = formats.get(zone);
    if (format === undefined) {
      // A browser may have a zone that it doesn't accept, such as Etc/Unknown.
      format = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone === localZone ? undefined : zone });
      formats.set(zone, format);
    }
    return isolate(format.format(date)) + (zone === UTC && !isPart ? ' UTC' : '');
  };
}

export const localDateTime = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' });
export const localDate = dateFormat({ dateStyle: 'medium' }, true);
const markedTime = dateFormat({ timeStyle: 'medium' });
export const localTime = dateFormat({ timeStyle: 'medium' }, true);
/** With the date if it isn't today. */
export const localMoment = (moment: Date, zone = readTimeZone(), now = new Date()) =>
  localDate(moment, zone) === localDate(now, zone) ? markedTime(moment, zone) : localDateTime(moment, zone);
export const clockTime = dateFormat({ timeStyle: 'short' });
export const exactUtc = (date: Date) => date.toISOString();

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,3})\d*)?(Z|[+-]\d\d:\d\d)?$/;

/** The time of an ISO 8601 timestamp, in UTC unless it has an offset (docs/interface.md, 2). Null for any other text. */
export function parseTime(text: string | null): Date | null {
  const match = TIMESTAMP.exec(text ?? '');
  if (match === null) return null;
  const [, day = '', time = '', fraction = '0', zone = 'Z'] = match;
  const date = new Date(`${day}T${time}.${fraction.padEnd(3, '0')}${zone}`);
  if (Number.isNaN(date.getTime())) return null;
  // Some browsers read 30 February as 2 March.
  return new Date(`${day}T00:00Z`).getUTCDate() === Number(day.slice(8)) ? date : null;
}

const relative = new Intl.RelativeTimeFormat('en');
const UNITS: readonly [limit: number, seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [3600, 60, 'minute'],
  [86_400, 3600, 'hour'],
  [86_400 * 31, 86_400, 'day'],
];

/** "3 hours ago"; null after a month and for a future time (a wrong clock). */
export function describeAge(then: Date, now = Date.now()): string | null {
  const seconds = (now - then.getTime()) / 1000;
  if (seconds < 60 && seconds > -120) return 'just now';
  const step = seconds < 0 ? undefined : UNITS.find(([limit]) => seconds < limit);
  return step === undefined ? null : relative.format(-Math.floor(seconds / step[1]), step[2]);
}

/** The day as 2026-01-31, by a locale that writes dates as ISO 8601 does. */
export const isoDay = dateFormat({ dateStyle: 'short' }, true, 'en-CA');
