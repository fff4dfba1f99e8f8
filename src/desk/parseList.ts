import Papa from 'papaparse';
import { unescapeFormulas } from '#contract/csvInjection.ts';
import { parseIdentity, type ParsedIdentity } from '../identity/parseIdentity.ts';
import type { DeskEntry } from './entry.ts';
import { UnusableFileError } from './readFile.ts';

/** Rows of a spreadsheet under their headings. */
export type Table = { headings: string[]; rows: string[][]; firstRow: number };

type IdentityField = string | null | undefined;

const SAMPLE = 200;
const SAMPLE_LENGTH = 100_000;
const COLUMNS_MAX = 500;
/** So many the browser still keeps and shows with ease. */
const ENTRIES_MAX = 500_000;
/** Characters of a line. The search for identities goes through one of them at once. */
const LINE_MAX = 200_000;
/** Characters that are kept of a longer one. */
const SHOWN_MAX = 200;
/** So long at most the page waits for the reading, in milliseconds. */
const SLICE_MS = 12;

/**
 * The table that `text` is, or null: its lines are then read as they stand. Only a table with headings is one, because
 * nothing else tells its columns from people named side by side; without, all that a line holds is read. Throws
 * `UnusableFileError`.
 */
export async function parseTable(text: string): Promise<Table | null> {
  const start = text.length > SAMPLE_LENGTH ? text.slice(0, text.lastIndexOf('\n', SAMPLE_LENGTH) + 1) : text;
  const { data: sample, meta } = Papa.parse<string[]>(start, {
    preview: SAMPLE,
    skipEmptyLines: 'greedy',
    delimitersToGuess: DELIMITERS,
  });
  const [headings = [], ...rows] = sample;
  if (headings.length < 2 || rows.length === 0 || !headings.every(isHeading)) return null;
  if (headings.length > COLUMNS_MAX) {
    throw new UnusableFileError(
      `The first line names ${headings.length.toLocaleString('en')} columns, and ${COLUMNS_MAX} are read at most. Save only the column that names the contacts.`,
    );
  }
  const whole = rows.filter((row) => row.length === headings.length);
  const isTable = headings.some((_, column) => shareOf(whole, (row) => wholeKind(row[column] ?? '') !== null) >= 0.5);
  if (whole.length < rows.length * 0.6 || !isTable) return null;
  const all = await parseRows(text, meta.delimiter);
  if (all === null) return null;
  const [, ...data] = all;
  return { headings: headings.map((name, index) => name.trim() || `Column ${index + 1}`), rows: data, firstRow: 2 };
}

const isHeading = (cell: string) => cell.length <= 40 && !/[\d@]/.test(cell);
const shareOf = <Row>(rows: readonly Row[], is: (row: Row) => boolean) => rows.filter(is).length / (rows.length || 1);

/** What a cell is when it is one identity and nothing else; a sentence with an address in it is none. */
function wholeKind(cell: string): 'uuid' | 'email' | 'phone' | 'number' | 'word' | null {
  const text = unescapeFormulas(cell).trim();
  if (text === '' || text.length > 200) return null;
  const reading = parseIdentity(text, null);
  if (!reading.ok) return null;
  if (reading.kind === 'email') return /^[^\s{}]+$|<[^<>]+>$/.test(text) ? 'email' : null;
  if (reading.kind === 'phone') return text.startsWith('+') ? 'phone' : 'number';
  if (reading.kind === 'uuid') return 'uuid';
  return /^\S*\d\S*$/.test(text) ? 'word' : null;
}

/**
 * All rows, a piece of the text at a time, so that the page does not stand still. Null where a quote does not close: all
 * that comes after it would be one cell.
 */
function parseRows(text: string, delimiter: string): Promise<string[][] | null> {
  const rows: string[][] = [];
  const { promise, resolve } = Promise.withResolvers<string[][] | null>();
  // The types know no chunks of a text, only of a file.
  const options: Papa.ParseConfig<string[]> & {
    chunkSize: number;
    chunk: NonNullable<Papa.ParseLocalConfig['chunk']>;
  } = {
    delimiter,
    skipEmptyLines: 'greedy',
    chunkSize: 256 * 1024,
    chunk({ data, errors }, parser) {
      if (errors.some(({ code }) => code === 'MissingQuotes')) resolve(null);
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

/** The column that most looks like what contacts are found by. */
export function likeliestColumn({ headings, rows }: Table, identityField: IdentityField): number {
  const weights = { email: 8, uuid: 4, phone: 3, number: 1, word: 0.5 };
  const scores = headings.map((heading, column) => {
    const kinds = rows.slice(0, SAMPLE).map((row) => wholeKind(row[column] ?? ''));
    const score = kinds.reduce((sum, kind) => sum + (kind === null ? 0 : weights[kind]), 0) / kinds.length;
    const isNamed = Boolean(identityField) && heading.toLowerCase() === identityField?.toLowerCase();
    return score + (isNamed ? 3.5 : 0);
  });
  return scores.indexOf(Math.max(...scores));
}

/** Reads what was pasted, piece by piece, without holding up the page. `column` picks one of a table. Throws `UnusableFileError`. */
export async function parseList(
  source: { lines: readonly string[] } | { table: Table; column: number },
  identityField: IdentityField,
  onProgress: (share: number) => void = () => {},
): Promise<DeskEntry[]> {
  const lines =
    'lines' in source ? source.lines : source.table.rows.map((row) => unescapeFormulas(row[source.column] ?? ''));
  const firstLine = 'lines' in source ? 1 : source.table.firstRow;
  const isColumn = lines.slice(0, SAMPLE).every((line) => !/\S\s+\S/.test(line));
  const entries: DeskEntry[] = [];
  const lineOf = new Map<string, number>();
  let sliceEnd = performance.now() + SLICE_MS;
  for (const [index, text] of lines.entries()) {
    const pieces = findIdentities(text, identityField, isColumn);
    // An empty line is nothing; the empty cell of a row that says something elsewhere is somebody who is missing.
    if (pieces.length === 0 && 'table' in source)
      pieces.push({ text: '', reading: { ok: false, fault: 'This cell is empty.' } });
    for (const piece of pieces) {
      entries.push(createEntry(piece, entries.length, firstLine + index, lineOf));
    }
    if (entries.length > ENTRIES_MAX) {
      throw new UnusableFileError(`There are more than ${ENTRIES_MAX.toLocaleString('en')} entries: split the list.`);
    }
    if (performance.now() > sliceEnd) {
      onProgress(index / lines.length);
      await new Promise((resolve) => setTimeout(resolve));
      sliceEnd = performance.now() + SLICE_MS;
    }
  }
  return entries;
}

function createEntry(
  { text, reading }: IdentityMatch,
  index: number,
  line: number,
  lineOf: Map<string, number>,
): DeskEntry {
  const fresh = { index, line, text, repeats: null, found: null, outcome: null };
  if (!reading.ok) return { ...fresh, as: reading.fault, values: [] };
  const key = keyOf(reading);
  const repeats = lineOf.get(key) ?? null;
  if (repeats === null) lineOf.set(key, line);
  return { ...fresh, as: reading.as, values: reading.values, repeats };
}

/** Two readings with one key name the same contact. */
function keyOf({ kind, values }: ParsedIdentity & { ok: true }): string {
  const number = kind === 'phone' ? (values.find((value) => /^\+\d+$/.test(value)) ?? values.at(-1)) : undefined;
  return `${kind} ${number ?? values.at(kind === 'email' ? 0 : -1)}`;
}

type IdentityMatch = { text: string; reading: ParsedIdentity };

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/;
/** An address that stands out from any text, in Latin letters: the words beside it may be in other scripts. */
const EMAIL =
  /(?:"[^"\n]{1,64}"|[\p{Script=Latin}\d+_](?:[\p{Script=Latin}\d!#$%&'*+/=?^_`{|}~.-]{0,63}))@(?:[\p{Script=Latin}\d][\p{Script=Latin}\d-]{0,62}\.){1,8}(?:xn--[a-z\d-]{2,59}|\p{Script=Latin}{2,63})/u;
/** In running text only a number with its country counts: other digits may be anything. */
const PHONE = /\(?(?:\+|\b00)\d[\d ().-]{5,25}\d/;
const IDENTITY = new RegExp(`(?<email>${EMAIL.source})|(?<uuid>${UUID.source})|(?<phone>${PHONE.source})`, 'giu');
/** What spreadsheets leave where a value is missing. */
const PLACEHOLDER = /^(?:#?n\/?a!?|#\S+[!?]|-+|\.+|null|none|nil|undefined|total|sum|e-?mails?|phones?|uuids?|ids?)$/i;
const NOTHING = 'No email, phone number, UUID or other identity was found here.';
/** Characters. Where more stand around an address, they are a sentence, not its dress. */
const DRESSED_MAX = 120;

/**
 * All that contacts can be found by in one line, whatever stands around it. A line without anything is one unreadable
 * piece. `isColumn`: every line is one value, so that a word may be an identity of the workspace's own.
 */
function findIdentities(line: string, identityField: IdentityField, isColumn: boolean): IdentityMatch[] {
  const original = line.trim();
  if (original === '') return [];
  if (original.length > LINE_MAX) {
    const fault = `This line is longer than ${LINE_MAX.toLocaleString('en')} characters: put one contact on each line.`;
    return [{ text: original.slice(0, SHOWN_MAX), reading: { ok: false, fault } }];
  }
  // Full-width signs are signs; links hold addresses with their @ escaped.
  const text = original
    .normalize('NFKC')
    .replaceAll('%40', '@')
    .replaceAll(/https?:\/\/\S+/gi, (link) => link.replaceAll(/[/?&=#]/g, ' '));
  const found = [...text.matchAll(IDENTITY)].map(([piece]) => piece.replace(/^\(\+(\d+)\)/, '+$1'));
  const read = (piece: string): IdentityMatch => ({ text: piece, reading: parseIdentity(piece, identityField) });

  if (found.length <= 1 && text.length <= DRESSED_MAX && text.includes('@')) {
    const { reading } = read(text);
    const address = found[0]?.toLowerCase();
    // One mailbox in any dress. Its local part may hold blanks, so the whole is tried before its last word; where the
    // two readings know different addresses, the one that stands out is right.
    const agrees = address === undefined || (reading.ok && reading.values.includes(address) && !isSentence(text));
    if (reading.ok && reading.kind === 'email' && agrees) return [{ text: original, reading }];
  }
  if (found.length > 0) return found.map(read);
  const values = text.length > 1000 ? [] : text.split(/[,;\t|]/).map((value) => value.trim());
  const pieces = values.filter((value) => value !== '').map(read);
  if (pieces.length > 0 && pieces.every((piece) => isLikely(piece, identityField, isColumn))) return pieces;
  const isShortened = /^\d(?:[.,]\d+)?E\+\d+$/i.test(text);
  const fault = isShortened ? 'A spreadsheet has shortened this number: show all its digits there.' : NOTHING;
  return [{ text: original, reading: { ok: false, fault } }];
}

/** More than two words before an address that is not in brackets are no part of it. */
const isSentence = (text: string) => !text.includes('<') && /\S\s+\S+\s+\S+\s+\S*@/.test(text);

function isLikely({ text, reading }: IdentityMatch, identityField: IdentityField, isColumn: boolean): boolean {
  if (!reading.ok || PLACEHOLDER.test(text)) return false;
  if (reading.kind !== 'custom') return true;
  if (identityField === null || /\s|^\d[.,]\d+E\+/i.test(text) || text.length > 100) return false;
  return /\d/.test(text) || (isColumn && identityField !== undefined);
}
