import { formatJson } from './json.ts';

/** Stands before the first line: without it spreadsheets take UTF-8 for the old code page of the machine. */
export const CSV_BOM = '\uFEFF';

/**
 * One line of CSV (RFC 4180) with its CRLF. Nothing is an empty cell; objects are written as JSON. Text that a spreadsheet
 * would take for a formula gets an apostrophe in front, which says "text" to it.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Blanks in front do not keep every spreadsheet from reading a formula, nor does the full width that East Asian input writes. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** Semicolons and tabs part cells too where a decimal number has a comma. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

function csvCell(value: unknown): string {
  const text = textOf(value);
  // A number is no formula, even with a minus.
  const safe = typeof value !== 'number' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : formatJson(value, 0);
}
