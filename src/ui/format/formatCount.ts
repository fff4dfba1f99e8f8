import { LOCALE } from './time.ts';

const count = new Intl.NumberFormat(LOCALE);

export const formatCount = (value: number): string => count.format(value);

/** "21–40 of 2,000" */
export function formatRange(
  { current_page, per_page, total }: { current_page: number; per_page: number; total: number },
  shown: number,
): string {
  const before = (current_page - 1) * per_page;
  const range = shown === 0 ? '0' : `${formatCount(before + 1)}–${formatCount(before + shown)}`;
  return `${range} of ${formatCount(total)}`;
}
