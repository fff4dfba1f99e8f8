import { parse } from 'csv-parse/sync';
import { unescapeFormulas } from '#contract/csvInjection.ts';
import { CommandError } from '../terminal/commandError.ts';
import { isObject, parseJson } from './json.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { UnreadableLine, FileLine } from './readLines.ts';
import { type CsvColumns, type ImportRow, sizeOf } from './importRow.ts';

const BOOLEANS = new Set(['subscribed', 'verified', 'mail_from_verified']);
const JSON_TEXTS = new Set(['attributes', 'dns']);
const ATTRIBUTE = 'attributes.';
/** More than a record has attributes, because each line may leave most of them empty. */
const COLUMNS_MAX = 1000;
/** Columns that are named one by one. */
const NAMED_MAX = 20;

type ReadLine = Exclude<FileLine, UnreadableLine>;

/** Where the cells of a column go: to a field of the resource, or to one of its attributes. */
type Column = { field: string } | { attribute: string };

/** Reads CSV whose first line names the columns. An empty cell says nothing about its field. */
export async function* readCsv(
  lines: AsyncIterable<FileLine>,
  columns: CsvColumns,
  onNote: (sentence: string) => void,
): AsyncGenerator<ImportRow> {
  let header: Column[] | null = null;
  for await (const line of lines) {
    const { number } = line;
    const cells = 'fault' in line ? null : split(line.text);
    if (header === null) {
      if (cells === null) {
        const why = 'fault' in line ? ` ${line.fault}` : '';
        throw new CommandError(`The first line of the file cannot be read as names of columns.${why}`);
      }
      if (cells.length === 0) continue;
      header = readHeader(cells, columns);
      const others = header.flatMap((column) => ('attribute' in column ? [column.attribute] : []));
      const free = others.filter((attribute) => !columns.attributes?.includes(attribute));
      if (free.length > 0) onNote(`Columns read as attributes: ${formatNames(free)}.`);
    } else if ('fault' in line) {
      yield line;
    } else if (cells === null) {
      yield { number, fault: 'A cell has a quote in the wrong place.' };
    } else if (cells.some((cell) => cell !== '')) {
      yield readCells(line, header, cells);
    }
  }
  if (header === null) throw new CommandError('The file is empty: its first line must name the columns.');
}

function formatNames(names: readonly string[]): string {
  const named = names.slice(0, NAMED_MAX).map((name) => toPrintable(name));
  return names.length > named.length ? `${named.join(', ')} and ${names.length - named.length} more` : named.join(', ');
}

/** The cells of a record, none for a blank one; null when its quotes are wrong. */
function split(text: string): string[] | null {
  if (text.trim() === '') return [];
  try {
    // The text is one record already: a line break in it is inside quotes.
    const [cells = []] = parse(text, { record_delimiter: '\n', max_record_size: 0 });
    return cells;
  } catch {
    return null;
  }
}

function readHeader(names: readonly string[], columns: CsvColumns): Column[] {
  if (names.length === 1 && /[;\t]/.test(names[0] ?? '')) {
    throw new CommandError('The columns of the file are not separated by commas: save it as CSV with commas.');
  }
  if (names.length > COLUMNS_MAX) {
    const [given, most] = [names.length, COLUMNS_MAX].map((count) => count.toLocaleString('en'));
    throw new CommandError(`The first line of the file names ${given} columns, and an import takes at most ${most}.`);
  }
  const header = names.map((name) => toColumn(name.trim(), columns));
  const places = header.map(targetOf);
  const twice = header.find((column, index) => places.indexOf(targetOf(column)) !== index);
  if (twice !== undefined) throw new CommandError(`Two columns of the file are for ${toPrintable(targetOf(twice))}.`);
  for (const group of columns.requiredOneOf) {
    if (!group.some((name) => places.includes(name) || places.includes(ATTRIBUTE + name))) {
      const names = group.length > 1 ? `one of ${group.join(', ')}` : group.join('');
      throw new CommandError(`The first line of the file must name the columns, and among them ${names}.`);
    }
  }
  return header;
}

function toColumn(name: string, { fields, attributes }: CsvColumns): Column {
  if (fields.includes(name)) return { field: name };
  const known = [...fields, ...(attributes ?? []), ...(attributes ?? []).map((attribute) => ATTRIBUTE + attribute)];
  const meant = known.find((candidate) => candidate !== name && bare(candidate) === bare(name));
  const shown = `"${toPrintable(name)}"`;
  if (meant !== undefined) throw new CommandError(`A column is called ${shown}: write ${meant}.`);
  if (attributes === null) throw new CommandError(`There is no column ${shown}: use ${fields.join(', ')}.`);
  const attribute = name.startsWith(ATTRIBUTE) ? name.slice(ATTRIBUTE.length) : name;
  if (attribute.trim() === '') throw new CommandError('A column of the file has no name.');
  return { attribute };
}

/** What is left of a name when it is written in another way: `First Name`, `first-name`, `FIRST_NAME`. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '');
}

function targetOf(column: Column): string {
  return 'field' in column ? column.field : ATTRIBUTE + column.attribute;
}

function readCells({ number, text }: ReadLine, header: readonly Column[], cells: readonly string[]): ImportRow {
  if (cells.length !== header.length) {
    return { number, fault: `The line has ${cells.length} cells, and the first line of the file ${header.length}.` };
  }
  const fields: [string, unknown][] = [];
  const attributes: [string, string][] = [];
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? '';
    if (cell === '') continue;
    if ('attribute' in column) {
      attributes.push([column.attribute, unescapeFormulas(cell)]);
    } else {
      const value = readCell(column.field, cell);
      if (value === undefined) return { number, fault: `${column.field} is not JSON.` };
      fields.push([column.field, value]);
    }
  }
  // Object.fromEntries makes own properties of all keys, __proto__ too, which the check of attributes refuses.
  const value = Object.fromEntries(fields);
  const whole = value['attributes'] ?? {};
  // What is no object is left for the check to refuse.
  if (attributes.length > 0 && isObject(whole)) {
    const differing = attributes.filter(([name, cell]) => !isSameValue(whole, name, cell));
    value['attributes'] = { ...whole, ...Object.fromEntries(differing) };
  }
  return { number, value, size: sizeOf(text) };
}

/** Whether the cell is how `whole` writes the attribute, which is a number there, or a list. */
function isSameValue(whole: object, name: string, cell: string): boolean {
  if (!Object.hasOwn(whole, name)) return false;
  return JSON.stringify((whole as Record<string, unknown>)[name]) === JSON.stringify(parseJson(cell));
}

/** A cell holds text; what its field wants else is decided by its name. Undefined when it is not the JSON it should be. */
function readCell(field: string, cell: string): unknown {
  if (JSON_TEXTS.has(field)) return parseJson(cell);
  // Spreadsheets write TRUE and FALSE.
  if (BOOLEANS.has(field) && /^(true|false)$/i.test(cell)) return cell.toLowerCase() === 'true';
  return unescapeFormulas(cell);
}
