import { escapeFormulas, escapeFormulasInJson } from '#contract/values/csvInjection.ts';
import { formatJson } from './json.ts';

/** Before the first line: otherwise spreadsheets don't read UTF-8. */
export const CSV_BOM = '\uFEFF';

/** A line of CSV (RFC 4180). Objects are JSON. No text is read as a formula, whatever separates the spreadsheet's cells. */
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
  // A negative number is no formula, but with other separators it is one together with the rest of the line.
  return column === 0 ? escapeFormulas(json) : json;
}
