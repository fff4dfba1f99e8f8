import type { IdentityField } from '../identity/parse/parseIdentity.ts';
import { decodeEntities } from '../identity/parse/entities.ts';
import { pickColumn, summarizeColumns } from './columns.ts';
import { parseTable, type Table, toTable } from './parseTable.ts';
import { mapWithPauses } from './pause.ts';
import { type Piece, readWhole } from './piece.ts';
import { decodeText, readFile } from './readFile.ts';
import { findNamed, type Line, readLines, toLines } from './readLines.ts';
import { findStateColumns, type StateColumn } from './stateColumns.ts';
import { readFormat, readJson, readMarkup, unfold } from './tableFormats.ts';
import type { ReadableTable } from './readEntries.ts';

export type ParsedInput = {
  name: string | null;
  notes: string[];
  /** What's alone in a line begins selected. */
  isList: boolean;
  /** Null for a list or a message. */
  table: ReadableTable | null;
  pieces: Piece[];
  /** The sender of a message that mentions nobody else. */
  author: Piece | null;
};

type Content = Omit<ParsedInput, 'name'>;

export async function readInput(input: string | File, identityField: IdentityField): Promise<ParsedInput> {
  if (typeof input === 'string') {
    const content = isMail(input)
      ? readMailSource(new TextEncoder().encode(input), identityField)
      : readText(input, identityField);
    return { name: null, ...(await content) };
  }
  const { name } = input;
  const bytes = await readFile(input);
  // A mail header is ASCII.
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_MAX));
  if (isMail(head)) return { name, ...(await readMailSource(bytes, identityField)) };
  const { text, isWindows } = decodeText(name, bytes);
  const content = await readText(text, identityField);
  const note = 'This file isn’t UTF-8; it was read as Windows-1252. Check names with accents.';
  return { name, ...content, notes: isWindows ? [note, ...content.notes] : content.notes };
}

async function readMailSource(source: Uint8Array<ArrayBuffer>, identityField: IdentityField): Promise<Content> {
  const { readMail } = await import('./mail/readMail.ts');
  return { table: null, isList: false, ...(await readMail(source, identityField)) };
}

async function readText(folded: string, identityField: IdentityField): Promise<Content> {
  const text = unfold(folded);
  const json = await readJson(text);
  if (json?.kind === 'report') {
    const pieces = await mapWithPauses(json.recipients, ({ address, source, leftOut }, index) => {
      const whole = readWhole(address, identityField);
      return { line: index + 1, source, ...whole, leftOut: leftOut ?? whole.leftOut };
    });
    return { table: null, isList: false, pieces, author: null, notes: ['Read as a report: only its recipients.'] };
  }
  if (json?.kind === 'message') return asMessage(asLines(json.texts), identityField);
  if (json?.kind === 'list') return asText(asLines(json.texts), identityField);
  const markup = json === null ? await readMarkup(text) : null;
  const rows = json?.rows ?? markup?.rows ?? (markup === null ? readFormat(text) : null);
  const table =
    rows !== null
      ? toTable(rows, identityField, 1)
      : markup === null
        ? parseTable(decodeEntities(text), identityField)
        : null;
  const content = table === null ? null : await asTable(table, markup?.text ?? text, identityField);
  if (content !== null) {
    const isPart = markup?.hasTextBeside === true;
    return isPart
      ? { ...content, notes: [...content.notes, 'Only the table was read, not the text around it.'] }
      : content;
  }
  if (json !== null) return asMessage(asLines(json.rows.flat()), identityField);
  const lines = toLines(markup?.text ?? text);
  return markup?.isMessage === true ? asMessage(lines, identityField) : asText(lines, identityField);
}

const asLines = (texts: readonly string[]): Line[] =>
  texts.flatMap((text, index) => toLines(text).map((line) => ({ ...line, line: index + 1 })));

async function asTable(table: Table, text: string, identityField: IdentityField): Promise<Content | null> {
  const columns = await summarizeColumns(table, identityField);
  const { column, isUndecided } = pickColumn(columns, table.headings);
  // Otherwise someone may be mentioned in a sentence.
  const isOfText =
    columns.every(({ kind }) => kind === null) && table.rows.some((row) => row.some((cell) => cell.includes('@')));
  if (column === null || isOfText) return null;
  const found = await findStateColumns(table, column);
  return {
    table: { text, table, columns, ...found, column, isUndecided },
    isList: false,
    pieces: [],
    author: null,
    notes: describeStates(found.states),
  };
}

const describeStates = (states: readonly StateColumn[]) =>
  states.map(({ heading }) => `Rows that aren’t unsubscribed according to “${heading}” begin unselected.`);

/** `read` by another column of its table, or as text if `column` is null. */
export async function readByColumn(
  read: ParsedInput & { table: ReadableTable },
  column: number | null,
  identityField: IdentityField,
): Promise<ParsedInput> {
  const { name, table } = read;
  const ofFile = read.notes.filter((note) => note !== MESSAGE_NOTE && !describeStates(table.states).includes(note));
  const found = await findStateColumns(table.table, column);
  const content =
    column === null
      ? await asText(toLines(table.text), identityField)
      : { isList: false, pieces: [], author: null, notes: describeStates(found.states) };
  const chosen = { ...table, ...found, column, isUndecided: false };
  return { name, ...content, table: chosen, notes: [...ofFile, ...content.notes] };
}

async function asText(lines: readonly Line[], identityField: IdentityField): Promise<Content> {
  const { form, pieces } = await readLines(lines, identityField);
  return {
    table: null,
    isList: form === 'list',
    pieces,
    author: null,
    notes: form === 'message' ? [MESSAGE_NOTE] : [],
  };
}

const MESSAGE_NOTE = 'Read as a message: contacts are mentioned in sentences, so none is selected.';

const asMessage = async (lines: readonly Line[], identityField: IdentityField): Promise<Content> => ({
  table: null,
  isList: false,
  pieces: await findNamed(lines, identityField),
  author: null,
  notes: [MESSAGE_NOTE],
});

const HEAD_MAX = 65_536;
const FIELD = /^([!-9;-~]{1,60}):/;
/** One of these with another field is enough. */
const OF_MAILS = ['received', 'message-id', 'return-path', 'mime-version', 'delivered-to', 'dkim-signature'];
const BESIDE_FROM = ['date', 'subject', 'to', 'sent', 'cc'];

/** Whether a text begins like a mail (RFC 5322) or a mailbox file (RFC 4155). */
function isMail(text: string): boolean {
  const names = new Set<string>();
  const lines = text
    .slice(0, HEAD_MAX)
    .replace(/^\ufeff/, '')
    .trimStart()
    .split(/\r\n|\r|\n/);
  for (const [index, line] of lines.entries()) {
    if (index === 0 && /^From \S+ .{10,60}\d{4}/.test(line)) continue;
    if (line.trim() === '') break;
    const name = FIELD.exec(line)?.[1];
    if (name === undefined && (index === 0 || !/^[ \t>]/.test(line))) return false;
    if (name !== undefined) names.add(name.toLowerCase());
  }
  if (names.size < 2) return false;
  return OF_MAILS.some((name) => names.has(name)) || (names.has('from') && BESIDE_FROM.some((name) => names.has(name)));
}
