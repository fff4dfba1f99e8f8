import { LOCALE } from '../ui/time.ts';

const date = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const month = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric' });
const year = new Intl.DateTimeFormat(LOCALE, { year: 'numeric' });
/** A locale that writes dates as ISO 8601 does. */
const iso = new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' });

export const localDate = (moment: Date) => date.format(moment);
export const localMonth = (moment: Date) => month.format(moment);
export const localYear = (moment: Date) => year.format(moment);
/** The local day as 2026-01-31. */
export const isoDay = (moment: Date) => iso.format(moment);
