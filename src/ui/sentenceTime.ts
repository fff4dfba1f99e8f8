import { LOCALE } from './time.ts';

// Times as they stand in a sentence or a heading; apart from time.ts, which is in the first load.

const SHORT = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
const shortInYear = new Intl.DateTimeFormat(LOCALE, SHORT);
const shortWithYear = new Intl.DateTimeFormat(LOCALE, { ...SHORT, year: 'numeric' });
const long = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeStyle: 'short' });

const day = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

export const localDay = (date: Date) => day.format(date);

/** UTC to the second. */
export const formatUtc = (date: Date) => `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** To the minute, as in "22 Nov, 02:51", with the year where that is not this one. */
export const shortDateTime = (moment: Date, now = new Date()) =>
  (moment.getFullYear() === now.getFullYear() ? shortInYear : shortWithYear).format(moment);

/** To the minute, for a letter. */
export const longDateTime = (date: Date) => long.format(date);
