import { dateFormat, LOCALE, localMoment, localZone } from './time.ts';

// Times in sentences and headings. time.ts is in the first load.

const SHORT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const shortInYear = dateFormat(SHORT);
const shortWithYear = dateFormat({ ...SHORT, year: 'numeric' });
const year = dateFormat({ year: 'numeric' }, true);
/** In English, like the letter. */
const long = dateFormat({ dateStyle: 'long', timeStyle: 'short' }, true, LOCALE.language === 'en' ? LOCALE : 'en-GB');

/** "Saturday, 22 November 2026" */
export const localDay = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

export const formatUtc = (date: Date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A sentence of the service with its time ("2026-11-22 02:10:33 UTC", or without the day) in `zone`. */
export function localizeMoment(sentence: string, moment: Date, zone: string, now = new Date()): string {
  const utc = formatUtc(moment);
  const [shown, time] = [localMoment(moment, zone, now), utc.slice(utc.indexOf(' ') + 1)];
  return sentence.includes(utc) ? sentence.replace(utc, () => shown) : sentence.replace(time, () => shown);
}

/** "22 Nov, 02:51", with the year if it isn't this one. */
export const shortDateTime = (moment: Date, zone: string, now = new Date()) =>
  (year(moment, zone) === year(now, zone) ? shortInYear : shortWithYear)(moment, zone);

const DAY = { day: 'numeric', month: 'short' } as const;
const dayInYear = dateFormat(DAY, true);
const dayWithYear = dateFormat({ ...DAY, year: 'numeric' }, true);

/** "22 Nov", with the year if it isn't this one. */
export const shortDate = (moment: Date, zone: string, now = new Date()) =>
  (year(moment, zone) === year(now, zone) ? dayInYear : dayWithYear)(moment, zone);

/** For a letter: in the browser's zone. */
export const longDateTime = (date: Date) => long(date, localZone);
