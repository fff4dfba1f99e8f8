import type { IdentityField } from '../contact/parseIdentity.ts';
import { joinBrokenAddresses } from './brokenAddresses.ts';
import { pickColumn, summarizeTable } from './columns.ts';
import type { ListLine } from './listLine.ts';
import { HEAD_MAX, isMail } from './mail/isMail.ts';
import { isForwardedText, isLetter, isThread, PART_LABELS, splitMailText } from './mail/mailText.ts';
import type { ListSource } from './parseList.ts';
import { hasColumns, parseTable } from './parseTable.ts';
import { formatCount } from '../ui/formatCount.ts';
import { createPause } from './pause.ts';
import { decodeText, readFile } from './readFile.ts';
import { readTickets } from './tickets.ts';
import { isVcard, readVcard } from './vcard.ts';

/** A text or file that was read, and not yet searched for entries. */
export type ParsedInput = ListSource & {
  /** The name of the file; null for pasted text. */
  name: string | null;
  /** Whether nothing says which column is meant: nobody is to be run until the user has chosen one. */
  isUndecided: boolean;
  /** What the user should know of how it was read, in sentences. */
  notes: string[];
};

const COLUMNS_UNKNOWN =
  'Read as text: no column names the contacts for sure. Everyone whom a line names is in the list, your own people too. Check it first.';

/**
 * Reads a pasted text or a file as a table, as a mail, or as lines. `onProgress` is called with shares of 1. Throws
 * `UnusableFileError`.
 */
export async function readInput(
  input: string | File,
  identityField: IdentityField,
  onProgress: (share: number) => void,
): Promise<ParsedInput> {
  if (typeof input === 'string') {
    if (isMail(input)) return readMailSource(null, new TextEncoder().encode(input));
    return readText(null, input, [], identityField);
  }
  const bytes = await readFile(input, onProgress);
  // The header of a mail is ASCII, whatever its text is encoded in.
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, HEAD_MAX));
  if (isMail(head)) return readMailSource(input.name, bytes);
  const { text, isWindows } = decodeText(input.name, bytes);
  const notes = isWindows ? ['This file is not UTF-8; it was read as Windows-1252. Check names with accents.'] : [];
  return readText(input.name, text, notes, identityField);
}

async function readText(
  name: string | null,
  text: string,
  notes: string[],
  identityField: IdentityField,
): Promise<ParsedInput> {
  if (isVcard(text)) {
    const lines = readVcard(text);
    const note = 'Read as a vCard: its emails and phone numbers, and nothing else.';
    return { name, lines, table: null, summary: null, column: null, isUndecided: false, notes: [...notes, note] };
  }
  const tickets = await readTickets(text);
  if (tickets !== null) {
    const { lines, count } = tickets;
    const note = `Read as ${count === 1 ? 'a ticket' : `${formatCount(count)} tickets`}: whoever asks, apart from those who answer or read along.`;
    return { name, lines, table: null, summary: null, column: null, isUndecided: false, notes: [...notes, note] };
  }
  const table = await parseTable(text, identityField);
  const texts = text.split(/\r\n|\r|\n/);
  const lines = await toLines(joinBrokenAddresses(texts));
  if (table === null) {
    const told = hasColumns(texts) ? [...notes, COLUMNS_UNKNOWN] : notes;
    return { name, lines, table, summary: null, column: null, isUndecided: false, notes: told };
  }
  const summary = await summarizeTable(table, identityField);
  return { name, lines, table, summary, ...pickColumn(table, summary), notes };
}

/** The reader of mails is loaded only when there is one. */
async function readMailSource(name: string | null, source: Uint8Array<ArrayBuffer>): Promise<ParsedInput> {
  const { readMail } = await import('./mail/readMail.ts');
  const { lines, notes } = await readMail(source);
  return { name, lines, table: null, summary: null, column: null, isUndecided: false, notes };
}

/** The lines of a text. Where mails answer each other in it, or it closes as a letter does, its parts are told apart. */
async function toLines(texts: readonly string[]): Promise<ListLine[]> {
  const isOfMails = isThread(texts);
  if (!isOfMails && !isLetter(texts)) return texts.map((text, index) => plainLine(text, index + 1));
  const lines: ListLine[] = [];
  const pause = createPause();
  const mail = { number: 0, depth: 0, isForward: isForwardedText(texts), isReport: false, isAutomatic: false };
  for (const { text, part } of splitMailText(texts)) {
    const line = lines.length + 1;
    lines.push(
      isOfMails || part === 'signature'
        ? { text, line, source: PART_LABELS[part], isProse: true, mail }
        : plainLine(texts[line - 1] ?? '', line),
    );
    await pause();
  }
  return lines;
}

const plainLine = (text: string, line: number): ListLine => ({ text, line, source: null, isProse: false });
