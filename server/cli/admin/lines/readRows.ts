import { isObject, parseJson } from '#contract/values/json.ts';
import { type FileLine, readLines, type UnreadableLine } from './readLines.ts';
import { readTable } from './readTable.ts';
import { unescapeFormulas } from '#contract/values/csvInjection.ts';
import { SUBSCRIBED_WORDS } from '#contract/importFiles/consents.ts';
import { readMailbox } from '#contract/importFiles/headerLine.ts';
import { CHOSEN_NAMES } from '#contract/importFiles/chosenColumns.ts';
import { mergeCells, NAMED_ADDRESS, type Plan, translateRow } from '#contract/importFiles/translateRow.ts';
import { must } from '#contract/values/must.ts';
import { toPrintable } from '../../terminal/printable.ts';
import { CommandError } from '../../terminal/terminal.ts';
import { ConsentNotes, formatNames } from './consentNotes.ts';
import { type OpenAgain, planUnsubscribes } from './unsubscribeColumns.ts';

export type ImportRow = { number: number; value: object } | UnreadableLine;

export type CsvColumns = {
  fields: readonly string[];
  /** Known attributes, such as `email`; null when the resource has no attributes. */
  attributes: readonly string[] | null;
  /** The first line must name one column of each group. */
  requiredOneOf: readonly (readonly string[])[];
};

export const FORMATS = ['ndjson', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** `onNote` gets a sentence about how columns or attributes were read. Throws `CommandError` for an unreadable file. */
export function readRows(
  source: AsyncIterable<Uint8Array>,
  format: Format,
  columns: CsvColumns,
  onNote: (sentence: string) => void,
  openAgain: OpenAgain = null,
): AsyncIterable<ImportRow> {
  const lines = readLines(source, format === 'csv');
  return format === 'csv' ? readCsv(lines, columns, onNote, openAgain) : readNdjson(lines, columns, onNote);
}

const DOUBTS_MAX = 5;

/** Says what was doubtful in the first lines. */
export function createDoubtNotes(onNote: (sentence: string) => void): (line: number, doubt: string) => void {
  let doubts = 0;
  return (line, doubt) => {
    if (++doubts > DOUBTS_MAX) return;
    onNote(
      `Line ${line}: ${toPrintable(doubt, 500)}${doubts === DOUBTS_MAX ? ' Further such lines are not shown.' : ''}`,
    );
  };
}

async function* readNdjson(
  lines: AsyncIterable<FileLine>,
  columns: CsvColumns,
  onNote: (sentence: string) => void,
): AsyncGenerator<ImportRow> {
  const consents = new ConsentNotes('field', columns);
  for await (const line of lines) {
    if (!('fault' in line) && line.text.trim() === '') continue;
    const row = 'fault' in line ? line : parseRow(line);
    if (!('fault' in row)) consents.readLine(row.value);
    yield row;
  }
  consents.note(onNote);
}

function parseRow({ number, text }: { number: number; text: string }): ImportRow {
  const value = parseJson(text);
  if (value === undefined) return { number, fault: "The line isn't JSON." };
  if (isObject(value)) return { number, value };
  const what = Array.isArray(value) ? 'an array' : 'a single value';
  return { number, fault: `The line is ${what}. Each line must be one JSON object.` };
}

const BOOLEANS = new Set(['subscribed', 'verified', 'mail_from_verified']);
const JSON_TEXTS = new Set(['attributes', 'dns', 'suppression']);
/** Columns that say who is unsubscribed. */
const SAY_WHO = new Set(['subscribed', 'suppression', 'suppression.since']);
const ATTRIBUTE = 'attributes.';
const EMAIL = 'attributes.email';
/** More than a contact may have attributes, because each line may leave most of them empty. */
const COLUMNS_MAX = 1000;

/** `use` is read by a plan of its own (unsubscribeColumns.ts). */
type Column = { field: string } | { attribute: string } | { use: string };

/** Ignores empty cells. `onNote` gets a sentence about columns read as attributes. Throws `CommandError`. */
async function* readCsv(
  lines: AsyncIterable<FileLine>,
  columns: CsvColumns,
  onNote: (sentence: string) => void,
  openAgain: OpenAgain,
): AsyncGenerator<ImportRow> {
  let header: Column[] | null = null;
  let unsubscribes: Plan | null = null;
  const noteDoubt = createDoubtNotes(onNote);
  /** Where the email of a contact is, if anywhere. */
  let email = -1;
  let isNoted = false;
  const consents = new ConsentNotes('column', columns);
  for await (const row of readTable(lines)) {
    if ('fault' in row) {
      yield row;
    } else if (header === null) {
      header = readHeader(row.cells, columns);
      unsubscribes = await planUnsubscribes(header.map(targetOf), openAgain);
      const others = header.flatMap((column) => ('attribute' in column ? [column.attribute] : []));
      const free = others.filter((attribute) => !columns.attributes?.includes(attribute));
      if (free.length > 0) onNote(`Columns read as attributes: ${formatNames(free)}.`);
      if (columns.attributes?.includes('email')) email = header.findIndex((column) => targetOf(column) === EMAIL);
      if (header.some((column) => SAY_WHO.has(targetOf(column)))) consents.end();
    } else {
      const { number, cells } = row;
      for (const [index, column] of header.entries())
        if ('attribute' in column) consents.read(column.attribute, must(cells[index]));
      const mailbox = readMailbox(cells[email] ?? '');
      if (mailbox !== null && mailbox.name !== '' && !isNoted) {
        onNote(`Line ${number}: email ${NAMED_ADDRESS} Further such lines are not shown.`);
        isNoted = true;
      }
      const read = readCells(number, header, mailbox === null ? cells : cells.with(email, mailbox.address));
      const added = unsubscribes === null ? null : translateRow(unsubscribes, cells.map(unescapeFormulas));
      if (added === null || 'fault' in read) {
        yield read;
      } else if ('fault' in added) {
        yield { number, fault: added.fault };
      } else {
        for (const doubt of added.doubts) noteDoubt(number, doubt);
        const { attributes: _, ...said } = added.value as { attributes: object };
        yield { number, value: { ...read.value, ...said } };
      }
    }
  }
  consents.note(onNote);
}

function readHeader(names: readonly string[], columns: CsvColumns): Column[] {
  if (names.length > COLUMNS_MAX) {
    const [given, most] = [names.length, COLUMNS_MAX].map((count) => count.toLocaleString('en'));
    throw new CommandError(`The first line names ${given} columns; the maximum is ${most}.`);
  }
  const header = names.map((name) => toColumn(name.trim(), columns));
  const targets = header.map(targetOf);
  const duplicate = header.find((column, index) => targets.indexOf(targetOf(column)) !== index);
  if (duplicate !== undefined) {
    throw new CommandError(`Two columns are for ${toPrintable(targetOf(duplicate))}.`);
  }
  for (const group of columns.requiredOneOf) {
    if (!group.some((name) => targets.includes(name) || targets.includes(ATTRIBUTE + name))) {
      const names = group.length > 1 ? `one of ${group.join(', ')}` : group.join('');
      throw new CommandError(`The first line must name the columns, including ${names}.`);
    }
  }
  return header;
}

function toColumn(name: string, { fields, attributes }: CsvColumns): Column {
  if (fields.includes(name)) return { field: name };
  if (fields.includes('suppression') && CHOSEN_NAMES.has(name)) return { use: name };
  const known = [...fields, ...(attributes ?? []), ...(attributes ?? []).map((attribute) => ATTRIBUTE + attribute)];
  const similar = known.find((candidate) => candidate !== name && bare(candidate) === bare(name));
  const shown = `"${toPrintable(name)}"`;
  if (similar !== undefined) throw new CommandError(`A column is called ${shown}. Rename it to ${similar}.`);
  if (attributes === null) throw new CommandError(`Unknown column ${shown}. Use ${fields.join(', ')}.`);
  const attribute = name.startsWith(ATTRIBUTE) ? name.slice(ATTRIBUTE.length) : name;
  if (attribute.trim() === '') throw new CommandError('A column has no name.');
  return { attribute };
}

/** A normalised name, equal for `First Name`, `first-name` and `FIRST_NAME`. */
function bare(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}.]/gu, '');
}

function targetOf(column: Column): string {
  if ('use' in column) return column.use;
  return 'field' in column ? column.field : ATTRIBUTE + column.attribute;
}

function readCells(number: number, header: readonly Column[], cells: readonly string[]): ImportRow {
  const fields: [string, unknown][] = [];
  const attributes: [string, string][] = [];
  for (const [index, column] of header.entries()) {
    const cell = must(cells[index]);
    if (cell === '' || 'use' in column) continue;
    if ('attribute' in column) {
      attributes.push([column.attribute, unescapeFormulas(cell)]);
    } else {
      const value = readCell(column.field, cell);
      if (value === undefined) return { number, fault: `${column.field} isn't JSON.` };
      fields.push([column.field, value]);
    }
  }
  // `Object.fromEntries` creates own properties for all keys. `__proto__` is then rejected by the validation.
  const value = Object.fromEntries(fields);
  const whole = value['attributes'] ?? {};
  // The validation rejects attributes that are not an object.
  if (attributes.length > 0 && isObject(whole)) {
    value['attributes'] = mergeCells(whole, attributes);
  }
  return { number, value };
}

function readCell(field: string, cell: string): unknown {
  if (JSON_TEXTS.has(field)) return parseJson(cell);
  // Spreadsheets write TRUE and FALSE.
  const word = cell.toLowerCase();
  if (BOOLEANS.has(field) && Object.hasOwn(SUBSCRIBED_WORDS, word)) return SUBSCRIBED_WORDS[word];
  return unescapeFormulas(cell);
}
