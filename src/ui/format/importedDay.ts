import { dateFormat, LOCALE } from './time.ts';

// Days that files say. They're the same in every zone, and in no file of the first load.

/** Whether an imported time is a day: files that say no time of day are read as midnight in UTC. */
export const isDay = (date: Date) => date.getTime() % 86_400_000 === 0;

const short = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }, true);
const long = dateFormat({ dateStyle: 'long' }, true, LOCALE.language === 'en' ? LOCALE : 'en-GB');

/** "22 Nov 2026" */
export const shortDay = (day: Date) => short(day, 'UTC');

/** "22 November 2026", in English. */
export const longDay = (day: Date) => long(day, 'UTC');
