import { dateFormat, LOCALE, localZone } from './time.ts';

// Times as they stand in a sentence or a heading; apart from time.ts, which is in the first load.

const SHORT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const shortInYear = dateFormat(SHORT);
const shortWithYear = dateFormat({ ...SHORT, year: 'numeric' });
const year = dateFormat({ year: 'numeric' }, true);
/** A letter is in English, so that its date is as well. */
const long = dateFormat({ dateStyle: 'long', timeStyle: 'short' }, true, LOCALE.language === 'en' ? LOCALE : 'en-GB');

/** "Saturday, 22 November 2026" */
export const localDay = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** UTC to the second. */
export const formatUtc = (date: Date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** To the minute, as in "22 Nov, 02:51", with the year where that is not this one. */
export const shortDateTime = (moment: Date, zone: string, now = new Date()) =>
  (year(moment, zone) === year(now, zone) ? shortInYear : shortWithYear)(moment, zone);

/** To the minute, for a letter: in the zone of the browser, whatever zone the console shows. */
export const longDateTime = (date: Date) => long(date, localZone);
