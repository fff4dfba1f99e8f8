const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const RFC_2822 = /^(?:[A-Z][a-z]{2}, )?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d:\d\d) (UTC|GMT|[+-]\d{4})$/;
const ISO = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?: ?(Z|UTC|[+-]\d\d:?\d\d))?)?$/;
/** A day and a month in either order. */
const DAY_AND_MONTH = /^(\d\d?)[-/.](\d\d?)[-/.](\d{4})(?:[T ](\d\d:\d\d(?::\d\d)?))?$/;
/** Unix seconds from 2001 on, also with a fraction. */
const UNIX_SECONDS = /^\d{10}(?:\.\d+)?$/;

/** Which of the two numbers of a date is first. */
export type DateOrder = 'day' | 'month';

/** What a date says by a number that can't be a month; null if it has none. */
export function dateOrderOf(cell: string): DateOrder | null {
  const [, first = '', second = ''] = DAY_AND_MONTH.exec(cell.trim()) ?? [];
  if (Number(first) > 12) return Number(second) > 12 ? null : 'day';
  return Number(second) > 12 ? 'month' : null;
}

/** What all dates of a column say together; null if nothing, or different things. */
export function findDateOrder(cells: Iterable<string>): DateOrder | null {
  const found = new Set<DateOrder>();
  for (const cell of cells) {
    const order = dateOrderOf(cell);
    if (order !== null) found.add(order);
  }
  const [only = null] = found;
  return found.size === 1 ? only : null;
}

/**
 * A time as exports write it, in milliseconds; without a zone it's UTC. Null for forms that can be read in two ways, as 01/02/2026 without
 * an `order`.
 */
export function parseSourceTime(text: string, order: DateOrder | null = null): number | null {
  if (UNIX_SECONDS.test(text)) return Math.floor(Number(text) * 1000);
  const iso = ISO.exec(text);
  if (iso !== null) return parseParts(iso[1], iso[2] ?? '00:00', iso[3] ?? 'Z');
  const [, first = '', second = '', ofYear, at = '00:00'] = DAY_AND_MONTH.exec(text) ?? [];
  if (ofYear !== undefined) {
    // Only a number that can't be a month shows which is the day.
    const isSure = Number(first) > 12 || Number(second) > 12 || Number(first) === Number(second);
    if (!isSure && order === null) return null;
    const isMonthFirst = isSure ? Number(second) > 12 : order === 'month';
    const [day, month] = isMonthFirst ? [second, first] : [first, second];
    return parseParts(`${ofYear}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, at, 'Z');
  }
  const [, day = '', month = '', year, time, zone] = RFC_2822.exec(text) ?? [];
  const index = MONTHS.indexOf(month) / 3;
  if (year === undefined || !Number.isInteger(index) || index < 0) return null;
  return parseParts(`${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}`, time, zone);
}

function parseParts(date = '', time = '', zone = ''): number | null {
  const offset = /^[+-]/.test(zone) ? zone.replace(/^(...)(\d\d)$/, '$1:$2') : 'Z';
  // `Date.parse` moves 30 February to March.
  const day = Date.parse(`${date}T00:00Z`);
  if (Number.isNaN(day) || !new Date(day).toISOString().startsWith(date)) return null;
  const parsed = Date.parse(`${date}T${time}${offset}`);
  return Number.isNaN(parsed) ? null : parsed;
}
