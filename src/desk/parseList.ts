import Papa from 'papaparse';
import { unescapeFormulas } from '#contract/csvInjection.ts';
import { parseIdentity, type ParsedIdentity } from '../contact/parseIdentity.ts';
import { formatCount } from '../ui/formatCount.ts';
import type { DeskEntry } from './entry.ts';
import { UnusableFileError } from './readFile.ts';

/** The rows of a spreadsheet. `firstRow` is the number of the first one, from 1. */
export type Table = { headings: string[]; rows: string[][]; firstRow: number };

type IdentityField = string | null | undefined;

/** Rows that decide what a table and its columns are. */
const SAMPLE = 200;
/** Characters. */
const SAMPLE_LENGTH = 100_000;
const COLUMNS_MAX = 500;
/** Entries that a browser can keep and show without delay. */
const ENTRIES_MAX = 500_000;
/** Characters of a line. A line is searched for identities without a pause. */
const LINE_MAX = 200_000;
/** Characters that are kept of a longer line. */
const SHOWN_MAX = 200;
/** Milliseconds of parsing after which the browser may update the page. */
const SLICE_MS = 12;

/**
 * Parses `text` as a table, or returns null when its lines are to be read one by one. A table must have headings: without
 * them, its columns may be several people on one line. Throws `UnusableFileError`.
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
      `The first line names ${formatCount(headings.length)} columns, and ${COLUMNS_MAX} are read at most. Save only the column that names the contacts.`,
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

/** The kind of identity that a cell holds; null when it holds none, or anything besides. */
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
 * Parses all rows, in chunks, so that the page stays responsive. Null when a quote is not closed: everything after it would
 * be one cell.
 */
function parseRows(text: string, delimiter: string): Promise<string[][] | null> {
  const rows: string[][] = [];
  const { promise, resolve } = Promise.withResolvers<string[][] | null>();
  // The types of Papa Parse allow chunks only of files.
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

/** The index of the column that most probably identifies the contacts. */
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

/**
 * Finds the entries in lines, or in one column of a table. It pauses regularly, so that the page stays responsive.
 * Throws `UnusableFileError`.
 */
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
    // Empty lines are skipped. An empty cell of a row that is not empty is reported.
    if (pieces.length === 0 && 'table' in source)
      pieces.push({ text: '', reading: { ok: false, fault: 'This cell is empty.' } });
    for (const piece of pieces) {
      entries.push(createEntry(piece, entries.length, firstLine + index, lineOf));
    }
    if (entries.length > ENTRIES_MAX) {
      throw new UnusableFileError(`There are more than ${formatCount(ENTRIES_MAX)} entries: split the list.`);
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

/** A key that is equal for identities of the same contact. */
function keyOf({ kind, values }: ParsedIdentity & { ok: true }): string {
  const number = kind === 'phone' ? (values.find((value) => /^\+\d+$/.test(value)) ?? values.at(-1)) : undefined;
  return `${kind} ${number ?? values.at(kind === 'email' ? 0 : -1)}`;
}

type IdentityMatch = { text: string; reading: ParsedIdentity };

const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/;
/** An email address within any text. Only Latin letters, because words in other scripts may stand beside it. */
const EMAIL =
  /(?:"[^"\n]{1,64}"|[\p{Script=Latin}\d+_](?:[\p{Script=Latin}\d!#$%&'*+/=?^_`{|}~.-]{0,63}))@(?:[\p{Script=Latin}\d][\p{Script=Latin}\d-]{0,62}\.){1,8}(?:xn--[a-z\d-]{2,59}|\p{Script=Latin}{2,63})/u;
/** A phone number within any text. Without a country code, digits may be anything. */
const PHONE = /\(?(?:\+|\b00)\d[\d ().-]{5,25}\d/;
const IDENTITY = new RegExp(`(?<email>${EMAIL.source})|(?<uuid>${UUID.source})|(?<phone>${PHONE.source})`, 'giu');
/** What spreadsheets write for a missing value. */
const PLACEHOLDER = /^(?:#?n\/?a!?|#\S+[!?]|-+|\.+|null|none|nil|undefined|total|sum|e-?mails?|phones?|uuids?|ids?)$/i;
const NOTHING = 'No email, phone number, UUID or other identity was found here.';
/** Characters. A longer text around an address is not a display name. */
const MAILBOX_MAX = 120;

/**
 * All identities in a line, whatever stands around them. A line without one gives a single unreadable match. `isColumn`:
 * each line is one value, so that a word may be the identity that the workspace defines itself.
 */
function findIdentities(line: string, identityField: IdentityField, isColumn: boolean): IdentityMatch[] {
  const original = line.trim();
  if (original === '') return [];
  if (original.length > LINE_MAX) {
    const fault = `This line is longer than ${formatCount(LINE_MAX)} characters: put one contact on each line.`;
    return [{ text: original.slice(0, SHOWN_MAX), reading: { ok: false, fault } }];
  }
  // Full-width characters are replaced by the usual ones. Links have the @ of an address escaped.
  const text = original
    .normalize('NFKC')
    .replaceAll('%40', '@')
    .replaceAll(/https?:\/\/\S+/gi, (link) => link.replaceAll(/[/?&=#]/g, ' '));
  const found = [...text.matchAll(IDENTITY)].map(([piece]) => piece.replace(/^\(\+(\d+)\)/, '+$1'));
  const read = (piece: string): IdentityMatch => ({ text: piece, reading: parseIdentity(piece, identityField) });

  if (found.length <= 1 && text.length <= MAILBOX_MAX && text.includes('@')) {
    const { reading } = read(text);
    const address = found[0]?.toLowerCase();
    // One mailbox, perhaps with a display name. A quoted local part may contain blanks, so the whole line is tried first.
    // Where that finds another address than the pattern, the pattern is right.
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

/** Whether more than two words precede an address without angle brackets: they are not a display name. */
const isSentence = (text: string) => !text.includes('<') && /\S\s+\S+\s+\S+\s+\S*@/.test(text);

function isLikely({ text, reading }: IdentityMatch, identityField: IdentityField, isColumn: boolean): boolean {
  if (!reading.ok || PLACEHOLDER.test(text)) return false;
  if (reading.kind !== 'custom') return true;
  if (identityField === null || /\s|^\d[.,]\d+E\+/i.test(text) || text.length > 100) return false;
  return /\d/.test(text) || (isColumn && identityField !== undefined);
}
