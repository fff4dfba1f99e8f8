import { htmlToText } from './mail/htmlToText.ts';

// Formats that say their rows and columns themselves, as rows of cells with headings in the first.

type Fields = Readonly<Record<string, string>>;
type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Records as rows below their keys. */
function toRows(records: readonly Fields[]): string[][] {
  const keys = new Set(records.flatMap((record) => Object.keys(record)));
  return [[...keys], ...records.map((record) => Array.from(keys, (key) => record[key] ?? ''))];
}

/** The rows of a text in one of these formats; null where it is in none. */
export function readFormat(text: string): string[][] | null {
  const start = text.slice(0, 2000).replace(/^\ufeff/, '').trimStart();
  if (/^BEGIN:VCARD/i.test(start)) return toRows(readVcards(text));
  if (/^(?:version: ?1\s+)?(?:#.*\s+)*dn::? /i.test(start)) return toRows(readLdif(text));
  if (/^<.*<(?:table|tr|(?:ss:)?Workbook)\b/is.test(start)) return readMarkup(text);
  return null;
}

/** vCard 2.1 to 4.0 (RFC 6350, 3.2): a line that begins with a blank goes on with the one above; in 2.1 `=` ends a line that goes on. */
function readVcards(text: string): Fields[] {
  const cards: Record<string, string>[] = [];
  const unfolded = text.replaceAll(/(?:\r\n|\r|\n)[ \t]/g, '').replaceAll(/=(?:\r\n|\r|\n)/g, '');
  for (const line of unfolded.split(/\r\n|\r|\n/)) {
    const [, name = '', parameters = '', value = ''] = /^(?:[\w-]{1,60}\.)?([\w-]{1,60})((?:;(?:"[^"]*"|[^":;])*)*):(.*)$/.exec(line) ?? [];
    const key = name.toUpperCase();
    if (key === 'BEGIN') cards.push({});
    const card = cards.at(-1);
    if (card === undefined || value.trim() === '' || /^(?:BEGIN|END|VERSION|PHOTO|NOTE)$/.test(key)) continue;
    const isQuoted = /QUOTED-PRINTABLE/i.test(parameters);
    const plain = (isQuoted ? decodeQuotedPrintable(value) : value.replaceAll(/\\([,;\\])/g, '$1')).trim().replace(/^(?:tel|mailto):/i, '');
    const heading = key === 'TEL' ? 'Phone' : key === 'EMAIL' ? 'Email' : key;
    card[heading] = card[heading] === undefined ? plain : `${card[heading]}\n${plain}`;
  }
  return cards;
}

function decodeQuotedPrintable(text: string): string {
  const bytes = Array.from(text.matchAll(/=([\dA-F]{2})|([^])/gi), ([, code, sign = '']) =>
    code === undefined ? [...new TextEncoder().encode(sign)] : [parseInt(code, 16)],
  );
  return new TextDecoder().decode(new Uint8Array(bytes.flat()));
}

/** LDIF (RFC 2849): records between empty lines; a line that begins with a blank goes on with the one above, and `::` is base64. */
function readLdif(text: string): Fields[] {
  const unfolded = text.replaceAll(/\r\n?/g, '\n').replaceAll('\n ', '');
  return unfolded.split(/\n{2,}/).flatMap((block) => {
    const record: Record<string, string> = {};
    for (const line of block.split('\n')) {
      const [, key = '', isEncoded, value = ''] = /^([\w;-]{1,60}):(:?) ?(.*)$/.exec(line) ?? [];
      if (key === '' || key === 'version') continue;
      const plain = isEncoded === ':' ? decodeBase64(value) : value;
      record[key] = record[key] === undefined ? plain : `${record[key]}\n${plain}`;
    }
    return Object.keys(record).length > 0 ? [record] : [];
  });
}

function decodeBase64(text: string): string {
  if (!/^[\w+/]*={0,2}$/.test(text) || text.replace(/=+$/, '').length % 4 === 1) return text;
  return new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)));
}

/** The rows of an HTML table, or of a sheet that Excel 2003 has saved as XML. */
function readMarkup(text: string): string[][] {
  return text
    .split(/<(?:tr|(?:ss:)?Row)(?=[\s>])/i)
    .slice(1)
    .map((row) => {
      const cells: string[] = [];
      for (const cell of row.split(/<\/(?:tr|(?:ss:)?Row|table)\s*>/i, 1)[0]?.split(/<(?=(?:t[dh]|(?:ss:)?Cell)[\s>/])/i).slice(1) ?? []) {
        const at = /^[^>]*\bss:Index="(\d{1,4})"/.exec(cell)?.[1];
        while (at !== undefined && cells.length < Number(at) - 1) cells.push('');
        cells.push(htmlToText(`<${cell.replace(/^(?:ss:)?Cell/, 'td')}`.replaceAll(/<a\b[^>]*>/gi, '')).trim());
      }
      return cells;
    });
}

/** What JSON names: rows of objects, texts of a list, texts of anything else, or whom a report is about. */
export type JsonReading =
  | { kind: 'rows'; rows: string[][] }
  | { kind: 'list' | 'message'; texts: string[] }
  | { kind: 'report'; recipients: { address: string; source: string; leftOut: string | null }[] };

/** Reads a JSON document, or one in each line; null for any other text. */
export function readJson(text: string): JsonReading | null {
  const documents = parseDocuments(text);
  if (documents === null) return null;
  const reports = documents.map(readReport);
  if (reports.every((report) => report !== null)) return { kind: 'report', recipients: reports.flat() };
  const [only] = documents;
  const values = documents.length > 1 ? documents : Array.isArray(only) ? only : findRecords(only);
  if (values.length > 0 && values.every((value) => typeof value === 'string')) return { kind: 'list', texts: values };
  const isTicket = /"(?:requester|assignee|reporter|submitter|conversation|messages)\w*"\s*:/i.test(text);
  if (isTicket || values.length === 0 || !values.every(isObject)) return { kind: 'message', texts: documents.flatMap(textsOf) };
  return { kind: 'rows', rows: toRows(values.map((value) => flatten(value))) };
}

function parseDocuments(text: string): unknown[] | null {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (!/^[[{]/.test(trimmed)) return null;
  return parse(trimmed) ?? parseEach(trimmed.split(/\r\n|\r|\n/).filter((line) => line.trim() !== ''));
}

function parseEach(lines: readonly string[]): unknown[] | null {
  const parsed: unknown[] = [];
  for (const line of lines) {
    const document = parse(line);
    if (document === null) return null;
    parsed.push(...document);
  }
  return parsed;
}

function parse(text: string): [unknown] | null {
  try {
    return [JSON.parse(text)];
  } catch {
    return null;
  }
}

/** The objects of the only list in a document, or the document itself where it has none. */
function findRecords(document: unknown): unknown[] {
  if (!isObject(document)) return [];
  const lists = Object.values(document).filter((value): value is unknown[] => Array.isArray(value) && value.length > 0);
  if (lists.length === 1) return lists[0] ?? [];
  return lists.length === 0 && Object.values(document).some((value) => typeof value === 'string' && value.includes('@')) ? [document] : [];
}

const DEPTH_MAX = 6;

function flatten(value: JsonObject, prefix = '', depth = 0): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [key, inner] of Object.entries(value)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    if (Array.isArray(inner) && inner.every((each) => typeof each !== 'object')) fields[name] = inner.join('\n');
    else if (typeof inner === 'object' && inner !== null && depth < DEPTH_MAX) Object.assign(fields, flatten(inner as JsonObject, name, depth + 1));
    else fields[name] = inner === null || inner === undefined ? '' : typeof inner === 'object' ? JSON.stringify(inner) : String(inner);
  }
  return fields;
}

/** All texts within a value, without recursion: it may be deep. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null) for (const inner of Object.values(next).toReversed()) rest.push(inner);
  }
  return texts;
}

/** Whom a notification of Amazon SES is about, perhaps within one of SNS; null for anything else. */
function readReport(document: unknown): { address: string; source: string; leftOut: string | null }[] | null {
  if (!isObject(document)) return null;
  const { Message: message, complaint, bounce } = document;
  if (typeof message === 'string') return readReport(parse(message)?.[0]);
  if (isObject(complaint)) return readRecipients(complaint['complainedRecipients'], 'Complaint by', null);
  if (!isObject(bounce)) return null;
  const isPermanent = bounce['bounceType'] === 'Permanent';
  return readRecipients(bounce['bouncedRecipients'], 'Not delivered to', isPermanent ? null : 'The report does not say that delivery failed for good');
}

const readRecipients = (recipients: unknown, source: string, leftOut: string | null) =>
  Array.isArray(recipients)
    ? recipients.flatMap((each: unknown) => (isObject(each) && typeof each['emailAddress'] === 'string' ? [{ address: each['emailAddress'], source, leftOut }] : []))
    : [];
