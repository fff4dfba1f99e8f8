import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { must } from '#contract/values/must.ts';
import type { FileRow } from './entries.ts';

/** Of equally many the first. */
export const DELIMITERS = [',', ';', '\t'];

/** What separates the names of the columns in the first line of a CSV file. */
export function delimiterOf(header: string): string {
  const plain = header.replaceAll(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => plain.split(delimiter).length);
  return must(DELIMITERS[counts.indexOf(Math.max(...counts))]);
}

/**
 * Of a text in memory: each record with the number of its first line, without apostrophes against formulas. The first that isn't empty
 * names the columns.
 */
export function* readCsvText(text: string): Generator<FileRow> {
  let delimiter: string | null = null;
  let width = 0;
  for (let at = 0, number = 1; at < text.length;) {
    delimiter ??= /^\s*(?:\n|$)/.test(firstLine(text, at)) ? null : delimiterOf(firstLine(text, at));
    const record = readRecord(text, at, delimiter ?? ',');
    const { cells } = record;
    if (cells === 'open') {
      const fault = "A quote opens here and doesn't close before the end of the file. The lines after it weren't read.";
      return yield { number, fault };
    }
    if (cells === null) yield { number, fault: 'A cell has a quote in the wrong place.' };
    else if (cells.some((cell) => cell !== '')) {
      width ||= cells.length;
      if (cells.length === width) yield { number, cells: cells.map(unescapeFormulas) };
      else yield { number, fault: `The line has ${cells.length} cells; the first line has ${width}.` };
    }
    number += record.lines;
    at = record.end;
  }
}

function firstLine(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? undefined : end);
}

/** `cells`: null if a quote is in the wrong place, 'open' if one doesn't close. `end`: where the next record begins. */
type Record = { cells: string[] | null | 'open'; end: number; lines: number };

function readRecord(text: string, start: number, delimiter: string): Record {
  const newline = text.indexOf('\n', start);
  const lineEnd = newline === -1 ? text.length : newline;
  const line = text.slice(start, lineEnd).replace(/\r$/, '');
  if (!line.includes('"')) return { cells: line.split(delimiter), end: lineEnd + 1, lines: 1 };
  return readQuoted(text, start, delimiter);
}

function readQuoted(text: string, start: number, delimiter: string): Record {
  const cells: string[] = [];
  let isFine = true;
  let lines = 1;
  for (let at = start; ;) {
    let cell = '';
    if (text[at] === '"') {
      const quoted = readQuotes(text, at);
      if (quoted === null) return { cells: 'open', end: text.length, lines };
      cell = quoted.cell;
      lines += cell.split('\n').length - 1;
      at = quoted.end;
    }
    const end = endOfCell(text, at, delimiter);
    const rest = text.slice(at, end).replace(/\r$/, '');
    isFine &&= !rest.includes('"') && (cell === '' || rest === '');
    cells.push(cell + rest);
    if (text[end] !== delimiter) return { cells: isFine ? cells : null, end: end + 1, lines };
    at = end + 1;
  }
}

/** From its quote on; a doubled quote is one. Null if it doesn't close. */
function readQuotes(text: string, start: number): { cell: string; end: number } | null {
  for (let at = start + 1; ;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    if (text[quote + 1] !== '"') return { cell: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    at = quote + 2;
  }
}

function endOfCell(text: string, start: number, delimiter: string): number {
  let at = start;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n') at++;
  return at;
}
