/** A time as `<input type="datetime-local">` has it, in the browser's zone or UTC; empty without one. */
export function toField(at: string | null, isUtc: boolean): string {
  const date = new Date(at ?? NaN);
  if (Number.isNaN(date.getTime())) return '';
  const shown = new Date(date.getTime() - (isUtc ? 0 : date.getTimezoneOffset() * 60_000));
  return shown.toISOString().slice(0, 16);
}

/** The end of the minute that was entered, as ISO 8601; null without one. */
export function fromField(field: string, isUtc: boolean): string | null {
  if (!/^\d{4,6}-\d\d-\d\dT\d\d:\d\d$/.test(field)) return null;
  const date = new Date(`${field}:59.999${isUtc ? 'Z' : ''}`);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
