import { formatCount } from '../ui/format/formatCount.ts';

export const ADDED_STAY = 'An undo sets back what changed. Contacts that the import adds stay.';

/** "1 line", "2,000 lines" */
export const countOf = (value: number, what: string): string =>
  `${formatCount(value)} ${what}${value === 1 ? '' : 's'}`;
