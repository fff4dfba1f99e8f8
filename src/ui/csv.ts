import { escapeFormulas, escapeFormulasInJson } from '#contract/csvInjection.ts';
import { formatJson } from './json.ts';

/** Stands before the first line: without it spreadsheets take UTF-8 for the old code page of the machine. */
export const CSV_BOM = '\uFEFF';

/**
 * One line of CSV (RFC 4180) with its CRLF. Nothing is an empty cell; objects are written as JSON. No text is a formula
 * to a spreadsheet, whether commas, semicolons or tabs part cells for it.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Semicolons and tabs part cells too where a decimal number has a comma. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

function csvCell(value: unknown, column: number): string {
  const text = toCellText(value, column);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toCellText(value: unknown, column: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return escapeFormulas(value);
  const json = escapeFormulasInJson(formatJson(value, 0));
  // A number is no formula, even with a minus; but where commas part no cells, it begins one that the next cells end.
  return column === 0 ? escapeFormulas(json) : json;
}
