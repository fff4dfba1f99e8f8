import { formatCount } from '../ui/format/formatCount.ts';

/** "1 line", "2,000 lines" */
export const countOf = (value: number, what: string): string =>
  `${formatCount(value)} ${what}${value === 1 ? '' : 's'}`;
