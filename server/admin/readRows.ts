import { isObject, parseJson } from '#contract/json.ts';
import { readCsv } from './readCsv.ts';
import { type FileLine, readLines } from './readLines.ts';
import { type CsvColumns, type ImportRow, sizeOf } from './importRow.ts';

export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/**
 * Parses the rows of a file one by one. `onNote` is called with a sentence about how the columns of CSV were read.
 * Throws `CommandError` when nothing in the file can be read.
 */
export function readRows(
  source: AsyncIterable<Uint8Array>,
  format: Format,
  columns: CsvColumns,
  onNote: (sentence: string) => void,
): AsyncIterable<ImportRow> {
  const lines = readLines(source, format === 'csv');
  return format === 'csv' ? readCsv(lines, columns, onNote) : readNdjson(lines);
}

async function* readNdjson(lines: AsyncIterable<FileLine>): AsyncGenerator<ImportRow> {
  for await (const line of lines) {
    if ('fault' in line) yield line;
    else if (line.text.trim() !== '') yield parseRow(line);
  }
}

function parseRow({ number, text }: { number: number; text: string }): ImportRow {
  const value = parseJson(text);
  if (value === undefined) return { number, fault: 'The line is not JSON.' };
  if (isObject(value)) return { number, value, size: sizeOf(text) };
  const what = Array.isArray(value) ? 'an array' : 'a single value';
  return { number, fault: `The line is ${what}: each line must be one JSON object.` };
}
