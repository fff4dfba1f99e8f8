import { dateFormat } from '../../ui/format/time.ts';

export const localMonth = dateFormat({ month: 'long', year: 'numeric' }, true);
export const localYear = dateFormat({ year: 'numeric' }, true);
/** The day as 2026-01-31, by a locale that writes dates as ISO 8601 does. */
export const isoDay = dateFormat({ year: 'numeric', month: '2-digit', day: '2-digit' }, true, 'en-CA');
