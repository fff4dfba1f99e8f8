import type { Provider } from '#contract/importFiles/fileKind.ts';
import { readCsvText } from '#contract/importFiles/csvRecords.ts';
import { readEntries, type FileRow } from '#contract/importFiles/entries.ts';
import { isDataLine } from '#contract/importFiles/headerLine.ts';
import { IMPORT_ROWS_MAX } from '#contract/imports.ts';
import { createPause } from '../listParser/pause.ts';
import { decodeText, readFile, SIZE_MAX, UnusableFileError } from '../listParser/readFile.ts';
import { formatCount } from '../ui/format/formatCount.ts';

/** More than a contact may have attributes, because each line may leave most of them empty. */
const COLUMNS_MAX = 1000;
/** Characters of the name of a column; a longer one is a line of something else. */
const NAME_MAX = 1000;

export type ReadLine = { number: number; cells: readonly string[] };
export type BadLine = { number: number; fault: string };

export type ExportFile = {
  name: string;
  /** SHA-256 in hexadecimal; null where the browser computes none, without https. */
  digest: string | null;
  header: readonly string[];
  /** Its first line is data, so its columns are called `Column 1` and so on. */
  isHeadless: boolean;
  /** The texts of a JSON document, besides its list. */
  document: Readonly<Record<string, string>>;
  /** The name of the list in it. */
  list?: string | undefined;
  /** That the list has others, where the file is a page of it. */
  more?: string | null;
  lines: readonly ReadLine[];
  unreadable: readonly BadLine[];
};

/** Pauses, so that the page stays responsive. Throws `UnusableFileError`. */
export async function readExport(file: File): Promise<ExportFile> {
  const { name } = file;
  if (file.size > SIZE_MAX) throw new TooLargeError(`${name} is larger than 20 MB.`);
  const bytes = await readFile(file);
  const { text, isWindows } = decodeText(name, bytes);
  if (isWindows) throw new UnusableFileError(`${name} isn’t UTF-8. Save it as “CSV UTF-8” and choose it again.`);
  if (text.trim() === '') throw new UnusableFileError(`${name} is empty.`);
  return { name, digest: await digestOf(bytes), ...(await readRows(text.replace(/^\ufeff/, ''))) };
}

const isJson = (text: string) => /^\s*[[{]/.test(text);

async function readRows(text: string): Promise<Omit<ExportFile, 'name' | 'digest'>> {
  if (isJson(text)) {
    const entries = readEntries(text);
    if ('fault' in entries) throw new UnusableFileError(entries.fault);
    const { header, document, list, more, rows } = entries;
    return { header: checkHeader(header), isHeadless: false, document, list, more, ...(await sort(rows)) };
  }
  if (/\r(?!\n)/.test(text.slice(0, 10_000).replaceAll(/"[^"]*"/g, '')) && !text.includes('\n'))
    throw new UnusableFileError('The lines end with CR only. Save the file with LF or CRLF.');
  const rows = readCsvText(text);
  const first = rows.next().value as FileRow | undefined;
  if (first === undefined) throw new UnusableFileError('The file has no lines.');
  if ('fault' in first) throw new UnusableFileError(`The first line can’t be read as column names. ${first.fault}`);
  const isHeadless = isDataLine(first.cells);
  const header = isHeadless ? first.cells.map((_, index) => `Column ${index + 1}`) : first.cells;
  return { header: checkHeader(header), isHeadless, document: {}, ...(await sort(isHeadless ? [first] : [], rows)) };
}

function checkHeader(header: readonly string[]): readonly string[] {
  const long = header.findIndex((name) => name.length > NAME_MAX);
  if (long !== -1)
    throw new UnusableFileError(
      `The name of column ${formatCount(long + 1)} is longer than ${formatCount(NAME_MAX)} characters. The first line must name the columns.`,
    );
  if (header.length <= COLUMNS_MAX) return header;
  throw new UnusableFileError(
    `The file has ${formatCount(header.length)} columns; the maximum is ${formatCount(COLUMNS_MAX)}.`,
  );
}

async function sort(...parts: Iterable<FileRow>[]): Promise<Pick<ExportFile, 'lines' | 'unreadable'>> {
  const lines: ReadLine[] = [];
  const unreadable: BadLine[] = [];
  const pause = createPause();
  for (const part of parts) {
    for (const row of part) {
      if ('fault' in row) unreadable.push(row);
      else lines.push(row);
      if (lines.length > IMPORT_ROWS_MAX)
        throw new TooLargeError(`The file has more than ${formatCount(IMPORT_ROWS_MAX)} lines.`);
      await pause();
    }
  }
  if (lines.length === 0 && unreadable.length === 0)
    throw new UnusableFileError('The file has no lines below its columns.');
  return { lines, unreadable };
}

/** Too large for the console. The page names the command. */
export class TooLargeError extends UnusableFileError {}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const subtle = crypto.subtle as SubtleCrypto | undefined;
  return subtle === undefined ? null : new Uint8Array(await subtle.digest('SHA-256', bytes)).toHex();
}

export const PROVIDER_NAMES: Readonly<Record<Provider, string>> = {
  mailchimp: 'Mailchimp',
  hubspot: 'HubSpot',
  customerio: 'Customer.io',
  brevo: 'Brevo',
  sendgrid: 'SendGrid',
  ses: 'Amazon SES',
  postmark: 'Postmark',
  mailgun: 'Mailgun',
  sendroom: 'Sendroom',
};
