import { escapeFormulas, escapeFormulasInJson } from '#contract/values/csvInjection.ts';
import { formatJson } from './json.ts';

/** Goes before the first line: without it spreadsheets do not read the file as UTF-8. */
export const CSV_BOM = '\uFEFF';

/**
 * One line of CSV (RFC 4180) with its CRLF. Null and undefined are empty cells; objects are JSON. No text is read as a
 * formula, whether the spreadsheet separates cells at commas, semicolons or tabs.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

/** Cells that need quotes. Semicolons and tabs separate cells too, where decimal numbers have a comma. */
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

function csvCell(value: unknown, column: number): string {
  const text = toCellText(value, column);
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function toCellText(value: unknown, column: number): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return escapeFormulas(value);
  const json = escapeFormulasInJson(formatJson(value, 0));
  // A negative number is no formula. But where commas do not separate cells, it is one with the rest of the line.
  return column === 0 ? escapeFormulas(json) : json;
}
