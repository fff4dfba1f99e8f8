import Papa from 'papaparse';
import { addressesIn, readIdentity, type IdentityReading } from '../identity/readIdentity.ts';
import type { Entry } from './entry.ts';

/** Rows of a spreadsheet. Without headings its columns are named by their numbers. */
export type Table = { headings: string[]; rows: string[][]; firstRow: number };

type IdentityField = string | null | undefined;

const SAMPLE = 200;
const SAMPLE_LENGTH = 100_000;
/** So long at most the page waits for the reading, in milliseconds. */
const SLICE_MS = 12;
const UUIDS = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** In running text only a number with its country counts: other digits may be anything. */
const PHONES = /\+\d[\d\s().-]{5,25}\d/g;

/** The table that `text` is, or null: its lines are then read as they stand. */
export async function tableOf(text: string): Promise<Table | null> {
  const start = text.length > SAMPLE_LENGTH ? text.slice(0, text.lastIndexOf('\n', SAMPLE_LENGTH)) : text;
  const sample = Papa.parse<string[]>(start, {
    preview: SAMPLE,
    skipEmptyLines: 'greedy',
    delimitersToGuess: DELIMITERS,
  });
  const [first, second] = sample.data;
  if (first === undefined || second === undefined || first.length < 2) return null;
  if (sample.data.some((row) => row.length !== first.length)) return null;
  // Two addresses in a row are a list of addresses, not a table: one column would drop the others.
  if (sample.data.some((row) => row.filter((cell) => cell.includes('@')).length > 1)) return null;
  const data = await rowsOf(text, sample.meta.delimiter);
  const hasHeadings = first.every((cell) => readsAs(cell, null) === null && !/\d/.test(cell));
  return hasHeadings
    ? { headings: first.map((name, index) => name.trim() || columnName(index)), rows: data.slice(1), firstRow: 2 }
    : { headings: first.map((_, index) => columnName(index)), rows: data, firstRow: 1 };
}

/** All rows, a piece of the text at a time, so that the page does not stand still. */
function rowsOf(text: string, delimiter: string): Promise<string[][]> {
  const rows: string[][] = [];
  const { promise, resolve } = Promise.withResolvers<string[][]>();
  // The types know no chunks of a text, only of a file.
  const options: Papa.ParseConfig<string[]> & {
    chunkSize: number;
    chunk: NonNullable<Papa.ParseLocalConfig['chunk']>;
  } = {
    delimiter,
    skipEmptyLines: 'greedy',
    chunkSize: 256 * 1024,
    chunk({ data }, parser) {
      for (const row of data as string[][]) rows.push(row);
      parser.pause();
      setTimeout(() => parser.resume());
    },
    complete: () => resolve(rows),
  };
  Papa.parse(text, options as never);
  return promise;
}

const DELIMITERS = ['\t', ';', ',', '|'];
const columnName = (index: number) => `Column ${index + 1}`;

/** The column that most looks like what contacts are found by. */
export function likeliestColumn({ headings, rows }: Table, identityField: IdentityField): number {
  const weights = { email: 8, uuid: 4, phone: 2, custom: 0 };
  const scores = headings.map((heading, column) => {
    const kinds = rows.slice(0, SAMPLE).map((row) => readsAs(row[column] ?? '', null));
    const score = kinds.reduce((sum, kind) => sum + (kind === null ? 0 : weights[kind]), 0) / kinds.length;
    const isNamed = Boolean(identityField) && heading.toLowerCase() === identityField?.toLowerCase();
    return score + (isNamed ? 3 : 0);
  });
  return scores.indexOf(Math.max(...scores));
}

function readsAs(cell: string, identityField: IdentityField): 'uuid' | 'email' | 'phone' | 'custom' | null {
  const [piece] = piecesOf(cell, identityField, false);
  return piece?.reading.ok === true ? piece.reading.kind : null;
}

/** Reads what was pasted, piece by piece, without holding up the page. `column` picks one of a table. */
export async function readList(
  source: { lines: readonly string[] } | { table: Table; column: number },
  identityField: IdentityField,
  onProgress: (share: number) => void = () => {},
): Promise<Entry[]> {
  const lines = 'lines' in source ? source.lines : source.table.rows.map((row) => row[source.column] ?? '');
  const firstLine = 'lines' in source ? 1 : source.table.firstRow;
  const isColumn = lines.slice(0, SAMPLE).every((line) => !/\S\s+\S/.test(line));
  const entries: Entry[] = [];
  const lineOf = new Map<string, number>();
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, text] of lines.entries()) {
    const pieces = piecesOf(text, identityField, isColumn);
    // An empty line is nothing; the empty cell of a row that says something elsewhere is somebody who is missing.
    if (pieces.length === 0 && 'table' in source)
      pieces.push({ text: '', reading: { ok: false, fault: 'This cell is empty.' } });
    for (const piece of pieces) {
      entries.push(entryOf(piece, entries.length, firstLine + index, lineOf));
    }
    if (performance.now() > sliceEnd) {
      onProgress(index / lines.length);
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return entries;
}

function entryOf({ text, reading }: Piece, index: number, line: number, lineOf: Map<string, number>): Entry {
  const fresh = { index, line, text, repeats: null, found: null, outcome: null };
  if (!reading.ok) return { ...fresh, as: reading.fault, values: [] };
  const key = keyOf(reading);
  const repeats = lineOf.get(key) ?? null;
  if (repeats === null) lineOf.set(key, line);
  return { ...fresh, as: reading.as, values: reading.values, repeats };
}

/** Two readings with one key name the same contact. */
function keyOf({ kind, values }: IdentityReading & { ok: true }): string {
  const plain = kind === 'phone' ? values.find((value) => /^\+?\d+$/.test(value)) : undefined;
  return `${kind} ${plain ?? values[0]}`;
}

type Piece = { text: string; reading: IdentityReading };

/**
 * What contacts can be found by in one line, whatever stands around it: addresses if there are any, else UUIDs, else
 * phone numbers, else the values themselves. A line without any is one unreadable piece. `isColumn`: every line is one
 * value, so that a word may be an identity of the workspace's own.
 */
function piecesOf(line: string, identityField: IdentityField, isColumn: boolean): Piece[] {
  const text = line.trim();
  if (text === '') return [];
  const read = (piece: string): Piece => ({ text: piece, reading: readIdentity(piece, identityField) });

  const addresses = addressesIn(text).map((address) => (address.startsWith('"') ? address : lastWord(address)));
  if (addresses.length > 0)
    return addresses.map(read).map((piece) => ({ ...piece, text: shown(piece.text, text, addresses.length) }));
  for (const pattern of [UUIDS, PHONES]) {
    const found = text.match(pattern) ?? [];
    if (found.length > 0) return found.map(read);
  }
  const values = text
    .split(/[,;\t]/)
    .map((value) => value.trim())
    .filter((value) => value !== '');
  const pieces = values.map(read);
  const usable = pieces.filter(({ text, reading }) => reading.ok && isLikely(reading, text, identityField, isColumn));
  if (usable.length === pieces.length && pieces.length > 0) return pieces;
  return [{ text, reading: { ok: false, fault: 'No email, phone number, UUID or other identity was found here.' } }];
}

/** A single address stands for its line, which says more: the name in front of it. */
const shown = (piece: string, line: string, count: number) => (count === 1 && line.length <= 200 ? line : piece);

const lastWord = (address: string) => /\S*@\S*$/.exec(address)?.[0] ?? address;

function isLikely({ kind }: { kind: string }, text: string, identityField: IdentityField, isColumn: boolean): boolean {
  if (kind !== 'custom') return true;
  return identityField !== null && !/\s/.test(text) && text.length <= 100 && (isColumn || /\d/.test(text));
}
