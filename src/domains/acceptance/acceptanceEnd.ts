/** The local day so many days later, as `<input type="date">` has it. */
export function dayAfter(date: Date, days: number): string {
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
  const [month, dayOfMonth] = [day.getMonth() + 1, day.getDate()].map((part) => String(part).padStart(2, '0'));
  return `${day.getFullYear()}-${month}-${dayOfMonth}`;
}

/** The last second of a local day; null for any other text. */
export function endOfDay(text: string): Date | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return null;
  const end = new Date(Number(year), Number(month) - 1, Number(day), 23, 59, 59);
  // 31 February would be in March.
  return end.getMonth() === Number(month) - 1 ? end : null;
}
