import Papa from 'papaparse';
import { foldHeading } from '../identity/idNames.ts';
import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { identityKind, isStrong, type IdentityKind } from './identityKind.ts';
import { isHeadingWord } from './headings.ts';
import { UnusableFileError } from './readFile.ts';
import { saysStay } from './stateWords.ts';

/** The rows of a spreadsheet. `firstRow` is the number of the first one, from 1. */
export type Table = {
  /** One for each column. A table without headings has `Column 1` and so on. */
  headings: string[];
  hasHeadings: boolean;
  rows: string[][];
  firstRow: number;
};

/** Rows that decide what a table is. */
const SAMPLE = 200;
/** Characters. */
const SAMPLE_LENGTH = 100_000;
const COLUMNS_MAX = 500;
/** Characters of a heading. */
const HEADING_MAX = 60;
const DELIMITERS = ['\t', ';', ',', '|'];
const GREETING =
  /^\s*(?:hi|hello|hey|dear|bye|thanks|thank you|kind regards|hallo|liebe[rs]?|danke|gru(?:ß|ss)|bonjour|merci|hola|gracias|ciao|grazie|hoi|dank|ola|obrigad[oa])(?!\p{L})/iu;
/** Words of a cell where no headings say what it is. */
const WORDS_MAX = 5;
/** Rows that a title or further headings may take, to those of the columns. */
const HEAD_ROWS = 5;
/** In place of a quote: where one is not closed, all of them are text. */
const NO_QUOTE = '\0';

/** Parses `text` as a table of delimited cells; null where it is none. Throws `UnusableFileError`. */
export async function parseTable(text: string, identityField: IdentityField): Promise<Table | null> {
  const { delimiter: named, body } = readPreamble(text);
  const start = body.length > SAMPLE_LENGTH ? body.slice(0, body.lastIndexOf('\n', SAMPLE_LENGTH) + 1) : body;
  const delimiter = named ?? guessDelimiter(start);
  const parseSample = (quoteChar: string) =>
    Papa.parse<string[]>(start, {
      preview: SAMPLE,
      skipEmptyLines: 'greedy',
      quoteChar,
      delimiter,
    });
  const quoted = parseSample('"');
  const isUnclosed = start === body && quoted.errors.some(isMissingQuote);
  const { data: sample } = isUnclosed ? parseSample(NO_QUOTE) : quoted;
  if (toTable(sample, identityField) === null) return null;
  const all =
    (isUnclosed ? null : await parseRows(body, delimiter, '"')) ?? (await parseRows(body, delimiter, NO_QUOTE)) ?? [];
  return toTable(all, identityField);
}

/**
 * Rows as a table. One of the first is headings where it holds no identity and the rows below do,
 * and what stands above it does not say that they stay. Without headings, nearly all rows
 * must have the same number of cells, and something besides identities, but no sentences: rows of nothing else are a list. Null where it is no table.
 * `widthMin`: columns that it has at least.
 */
export function toTable(all: readonly string[][], identityField: IdentityField, widthMin = 2): Table | null {
  const sample: string[][] = [];
  for (const row of all) if (sample.length < SAMPLE && !isBlankRow(row)) sample.push(row);
  const head = findHeadings(sample, identityField);
  if (
    sample
      .slice(0, head ?? 0)
      .flat()
      .some((cell) => saysStay(foldHeading(cell)))
  )
    return null;
  const hasHeadings = head !== null;
  const [first = [], ...rest] = sample.slice(head ?? 0);
  if (first.length < widthMin || rest.length === 0) return null;
  const filled = first.filter((_, column) => [first, ...rest].some((row) => (row[column] ?? '').trim() !== ''));
  if (!hasHeadings && (filled.length < 2 || !isUniform(sample) || isOfIdentities(sample) || sample.some(isOfSentences)))
    return null;
  if (first.length > COLUMNS_MAX) {
    throw new UnusableFileError(
      `The first line names ${formatCount(first.length)} columns, and ${COLUMNS_MAX} are read at most. Save only the column with the contacts’ emails or IDs.`,
    );
  }
  let count = 0;
  const firstRow = all.findIndex((row) => !isBlankRow(row) && count++ === (head ?? 0));
  return {
    headings: Array.from(
      { length: Math.max(first.length, widthOf(rest)) },
      (_, index) => (hasHeadings && first[index]?.trim()) || `Column ${index + 1}`,
    ),
    hasHeadings,
    rows: all.slice(firstRow + (hasHeadings ? 1 : 0)),
    firstRow: firstRow + (hasHeadings ? 2 : 1),
  };
}

/** The sign by which most lines have the same number of cells. */
function guessDelimiter(text: string): string {
  const options = { preview: SAMPLE, skipEmptyLines: 'greedy' } as const;
  const guesses = DELIMITERS.map((delimiter) => {
    const rows = Papa.parse<string[]>(text, { ...options, delimiter }).data.filter((row) => row.length > 1);
    const width = widthOf(rows);
    return { delimiter, width, rows: rows.filter((row) => row.length === width).length };
  });
  return guesses.toSorted((one, other) => other.rows - one.rows || other.width - one.width)[0]?.delimiter ?? ',';
}

/** A message may have as many commas in each line. */
const isOfSentences = (row: readonly string[]) =>
  row.some((cell) => cell.trim().split(/\s+/).length > WORDS_MAX || GREETING.test(cell));

const isOfIdentities = (rows: readonly string[][]) =>
  rows.flat().every((cell) => cell.trim() === '' || isStrong(identityKind(cell)));

/** A line below headings, as Markdown and databases draw it. */
const RULER = /^[+|:=-]{3,}$/;

export const isBlankRow = (row: readonly string[]): boolean =>
  row.every((cell) => cell.trim() === '' || RULER.test(cell.trim()));

/** Removes a byte order mark, and the line `sep=;` by which a spreadsheet is told the delimiter. */
function readPreamble(text: string): { delimiter: string | null; body: string } {
  const body = text.replace(/^\ufeff/, '');
  const line = /^sep=(.)\r?\n/i.exec(body);
  return { delimiter: line?.[1] ?? null, body: line === null ? body : body.slice(line[0].length) };
}

/** The row of the headings, below a title or headings of groups: that with the most names of identities. Null where there is none. */
function findHeadings(rows: readonly string[][], identityField: IdentityField): number | null {
  const end = rows.findIndex((row) => row.some((cell) => isStrong(identityKind(cell)) || cell.includes('@')));
  const found = rows
    .slice(0, Math.min(HEAD_ROWS, end === -1 ? 1 : end))
    .map((row, index) => ({ row, index, names: row.filter((cell) => isHeadingWord(cell, identityField)).length }))
    .filter(({ index, names }) => index === 0 || names > 0)
    .filter(({ row, index }) => isHeadingRow(row, rows.slice(index + 1), identityField));
  return found.toSorted((one, other) => other.names - one.names)[0]?.index ?? null;
}

/** The number of cells that most rows have. */
function widthOf(rows: readonly string[][]): number {
  const counts = [...Map.groupBy(rows, (row) => row.length)].map(([width, { length }]) => ({ width, length }));
  return counts.toSorted((one, other) => other.length - one.length)[0]?.width ?? 0;
}

const shareOf = <Row>(rows: readonly Row[], is: (row: Row) => boolean) => rows.filter(is).length / (rows.length || 1);

/** The kind of identity that at least `share` of the cells of a column hold; null when there is none. */
function columnKind(rows: readonly string[][], column: number, share: number): IdentityKind | null {
  const kinds = rows.map((row) => identityKind(row[column] ?? ''));
  if (shareOf(kinds, (kind) => kind !== null) < share) return null;
  return kinds.find(isStrong) ?? kinds.find((kind) => kind !== null) ?? null;
}

/**
 * Whether `first` are the headings of `rows`: at least one column has a heading, and identities below it. Where the heading is
 * that of an identity, cells may be empty and rows shorter.
 */
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
  // `Email 2` may head addresses, but `C-1001` heads no other such numbers.
  const isHeading = (cell: string, kind: IdentityKind | null) =>
    kind === null || isStrong(kind) || identityKind(cell) === null || isHeadingWord(cell, identityField);
  return (
    first.every((cell, column) => isHeading(cell, kinds[column] ?? null)) &&
    first.some((cell, column) => cell.trim() !== '' && (kinds[column] ?? null) !== null)
  );
}

/** Whether rows without headings are a table: nearly all have as many cells, and one column identifies nearly all. */
function isUniform(rows: readonly string[][]): boolean {
  const width = widthOf(rows);
  return (
    width > 1 &&
    shareOf(rows, (row) => row.length === width) >= 0.8 &&
    Array.from({ length: width }, (_, column) => columnKind(rows, column, 0.8)).some(isStrong)
  );
}

const isMissingQuote = ({ code }: Papa.ParseError) => code === 'MissingQuotes';

/**
 * Parses all rows, in chunks, so that the page stays responsive. Null when a quote is not closed: everything after it would
 * be one cell. Blank rows are kept, because they count in a spreadsheet.
 */
function parseRows(text: string, delimiter: string, quoteChar: string): Promise<string[][] | null> {
  const rows: string[][] = [];
  const { promise, resolve } = Promise.withResolvers<string[][] | null>();
  // The types of Papa Parse allow chunks only of files.
  const options: Papa.ParseConfig<string[]> & {
    chunkSize: number;
    chunk: NonNullable<Papa.ParseLocalConfig['chunk']>;
  } = {
    delimiter,
    quoteChar,
    chunkSize: 256 * 1024,
    chunk({ data, errors }, parser) {
      if (errors.some(isMissingQuote)) resolve(null);
      for (const row of data as string[][]) rows.push(row);
      parser.pause();
      setTimeout(() => parser.resume());
    },
    complete: () => resolve(rows),
  };
  Papa.parse(text, options as never);
  return promise;
}
