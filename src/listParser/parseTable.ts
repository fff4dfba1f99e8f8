import Papa from 'papaparse';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { identityKind, isStrong, type IdentityKind } from './identityKind.ts';
import { isHeadingWord } from './headings.ts';
import { UnusableFileError } from './readFile.ts';

/** `firstRow` is the number of the first of `rows`, from 1. */
export type Table = {
  /** Texts above its headings. */
  above: string[];
  headings: string[];
  hasHeadings: boolean;
  rows: string[][];
  firstRow: number;
};

const SAMPLE = 200;
const SAMPLE_LENGTH = 100_000;
const COLUMNS_MAX = 500;
const HEADING_MAX = 60;
const DELIMITERS = ['\t', ';', ',', '|'];
const GREETING =
  /^\s*(?:hi|hello|hey|dear|bye|thanks|thank you|kind regards|hallo|liebe[rs]?|danke|gru(?:ß|ss)|bonjour|merci|hola|gracias|ciao|grazie|hoi|dank|ola|obrigad[oa])(?!\p{L})/iu;
const WORDS_MAX = 5;
/** The headings are within these rows. */
const HEAD_ROWS = 5;
/** For unclosed quotes, which are then text. */
const NO_QUOTE = '\0';

export function parseTable(text: string, identityField: IdentityField): Table | null {
  const { delimiter: named, body } = readPreamble(text);
  const delimiter = named ?? guessDelimiter(body.slice(0, SAMPLE_LENGTH));
  const { data, errors } = Papa.parse<string[]>(body, { delimiter });
  // If a quote isn't closed, everything after it would be one cell.
  const isUnclosed = errors.some(({ code }) => code === 'MissingQuotes');
  return toTable(
    isUnclosed ? Papa.parse<string[]>(body, { delimiter, quoteChar: NO_QUOTE }).data : data,
    identityField,
  );
}

/**
 * One of the first rows is the headings if it has no identity, the rows below do. Without headings,
 * nearly all rows must have the same number of cells, and something besides identities, but no sentences.
 */
export function toTable(all: readonly string[][], identityField: IdentityField, widthMin = 2): Table | null {
  const sample: string[][] = [];
  for (const row of all) if (sample.length < SAMPLE && !isBlankRow(row)) sample.push(row);
  const head = findHeadings(sample, identityField);
  const hasHeadings = head !== null;
  const [first = [], ...rest] = sample.slice(head ?? 0);
  if (first.length < widthMin || rest.length === 0) return null;
  const filled = first.filter((_, column) => [first, ...rest].some((row) => (row[column] ?? '').trim() !== ''));
  if (!hasHeadings && (filled.length < 2 || !isUniform(sample) || isOfIdentities(sample) || sample.some(isOfSentences)))
    return null;
  if (first.length > COLUMNS_MAX) {
    throw new UnusableFileError(
      `The first line names ${formatCount(first.length)} columns, but at most ${COLUMNS_MAX} are supported. Save only the column with the contacts’ emails or IDs.`,
    );
  }
  let count = 0;
  const firstRow = all.findIndex((row) => !isBlankRow(row) && count++ === (head ?? 0));
  return {
    above: sample
      .slice(0, head ?? 0)
      .flat()
      .filter((cell) => cell.trim() !== ''),
    headings: Array.from(
      { length: Math.max(first.length, widthOf(rest)) },
      (_, index) => (hasHeadings && first[index]?.trim()) || `Column ${index + 1}`,
    ),
    hasHeadings,
    rows: all.slice(firstRow + (hasHeadings ? 1 : 0)),
    firstRow: firstRow + (hasHeadings ? 2 : 1),
  };
}

function guessDelimiter(text: string): string {
  const options = { preview: SAMPLE, skipEmptyLines: 'greedy' } as const;
  const guesses = DELIMITERS.map((delimiter) => {
    const rows = Papa.parse<string[]>(text, { ...options, delimiter }).data.filter((row) => row.length > 1);
    const width = widthOf(rows);
    return { delimiter, width, rows: rows.filter((row) => row.length === width).length };
  });
  return guesses.toSorted((one, other) => other.rows - one.rows || other.width - one.width)[0]?.delimiter ?? ',';
}

/** A message may have the same number of commas in each line. */
const isOfSentences = (row: readonly string[]) =>
  row.some((cell) => cell.trim().split(/\s+/).length > WORDS_MAX || GREETING.test(cell));

const isOfIdentities = (rows: readonly string[][]) =>
  rows.flat().every((cell) => cell.trim() === '' || isStrong(identityKind(cell)));

/** Below headings in Markdown and database output. */
const RULER = /^[+|:=-]{3,}$/;

export const isBlankRow = (row: readonly string[]): boolean =>
  row.every((cell) => cell.trim() === '' || RULER.test(cell.trim()));

/** A byte order mark, and `sep=;` for spreadsheets. */
function readPreamble(text: string): { delimiter: string | null; body: string } {
  const body = text.replace(/^\ufeff/, '');
  const line = /^sep=(.)\r?\n/i.exec(body);
  return { delimiter: line?.[1] ?? null, body: line === null ? body : body.slice(line[0].length) };
}

/** The row with the most names of identities: there may be a title or group headings above. */
function findHeadings(rows: readonly string[][], identityField: IdentityField): number | null {
  const end = rows.findIndex((row) => row.some((cell) => isStrong(identityKind(cell)) || cell.includes('@')));
  const found = rows
    .slice(0, Math.min(HEAD_ROWS, end === -1 ? 1 : end))
    .map((row, index) => ({ row, index, names: row.filter((cell) => isHeadingWord(cell, identityField)).length }))
    .filter(({ index, names }) => index === 0 || names > 0)
    .filter(({ row, index }) => isHeadingRow(row, rows.slice(index + 1), identityField));
  return found.toSorted((one, other) => other.names - one.names)[0]?.index ?? null;
}

function widthOf(rows: readonly string[][]): number {
  const counts = [...Map.groupBy(rows, (row) => row.length)].map(([width, { length }]) => ({ width, length }));
  return counts.toSorted((one, other) => other.length - one.length)[0]?.width ?? 0;
}

const shareOf = <Row>(rows: readonly Row[], is: (row: Row) => boolean) => rows.filter(is).length / (rows.length || 1);

function columnKind(rows: readonly string[][], column: number, share: number): IdentityKind | null {
  const kinds = rows.map((row) => identityKind(row[column] ?? ''));
  if (shareOf(kinds, (kind) => kind !== null) < share) return null;
  return kinds.find(isStrong) ?? kinds.find((kind) => kind !== null) ?? null;
}

/** At least one column has a heading with identities below. Below the name of an identity, cells may be empty and rows shorter. */
function isHeadingRow(first: readonly string[], rows: readonly string[][], identityField: IdentityField): boolean {
  if (!first.every((cell) => cell.length <= HEADING_MAX && !isStrong(identityKind(cell)) && !cell.includes('@')))
    return false;
  const several = rows.filter((row) => row.length > 1);
  const isNamed = (cell: string, column: number) =>
    isHeadingWord(cell, identityField) &&
    columnKind(
      several.filter((row) => (row[column] ?? '').trim() !== ''),
      column,
      0.5,
    ) !== null;
  if (several.length >= rows.length * 0.6 && first.some(isNamed)) return true;
  const whole = rows.filter((row) => row.length === first.length);
  if (whole.length < rows.length * 0.6) return false;
  const kinds = first.map((_, column) => columnKind(whole, column, 0.5));
  // `Email 2` may be the heading of addresses, but not `C-1001` of such numbers.
  const isHeading = (cell: string, kind: IdentityKind | null) =>
    kind === null || isStrong(kind) || identityKind(cell) === null || isHeadingWord(cell, identityField);
  return (
    first.every((cell, column) => isHeading(cell, kinds[column] ?? null)) &&
    first.some((cell, column) => cell.trim() !== '' && (kinds[column] ?? null) !== null)
  );
}

/** Nearly all rows have the same number of cells, and one column identifies nearly all. */
function isUniform(rows: readonly string[][]): boolean {
  const width = widthOf(rows);
  return (
    width > 1 &&
    shareOf(rows, (row) => row.length === width) >= 0.8 &&
    Array.from({ length: width }, (_, column) => columnKind(rows, column, 0.8)).some(isStrong)
  );
}
