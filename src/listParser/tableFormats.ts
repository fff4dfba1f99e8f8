import { foldHeading } from '#contract/words/foldText.ts';
import { PARTIES } from './headings.ts';
import { mapWithPauses } from './pause.ts';
import { htmlToText } from './mail/htmlToText.ts';
import type { ReportRecipient } from './mail/serverReport.ts';
import { keepsThose, saysStay, tellsWhoStays } from '#contract/words/stateWords.ts';

// Structured formats, as rows with headings in the first.

type Fields = ReadonlyMap<string, string>;
type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toRows(records: readonly Fields[]): string[][] {
  const keys = [...new Set(records.flatMap((record) => [...record.keys()]))];
  return [keys, ...records.map((record) => keys.map((key) => record.get(key) ?? ''))];
}

/** A repeated field has a line per value. */
function addField(record: Map<string, string>, key: string, value: string): void {
  const before = record.get(key);
  record.set(key, before === undefined ? value : `${before}\n${value}`);
}

/** Lines that begin with a space continue the line above (RFC 6350, 3.2; RFC 5545, 3.1). */
export const unfold = (text: string): string =>
  /^\s*BEGIN:V/i.test(text) ? text.replaceAll(/(?:\r\n|\r|\n)[ \t]/g, '') : text;

export function readFormat(text: string): string[][] | null {
  const start = text
    .slice(0, 2000)
    .replace(/^\ufeff/, '')
    .trimStart();
  if (/^BEGIN:VCARD/i.test(start)) return toRows(readVcards(text));
  if (/^(?:version: ?1\s+|#[^\n]*\n\s*)*dn::? /i.test(start)) return toRows(readLdif(text));
  return null;
}

const CARD_FIELDS: Readonly<Record<string, string>> = {
  FN: 'Name',
  N: 'N',
  EMAIL: 'Email',
  TEL: 'Phone',
  CATEGORIES: 'Categories',
};

/** vCard 2.1 to 4.0. In quoted-printable, `=` ends a continued line. */
function readVcards(text: string): Fields[] {
  const cards: Map<string, string>[] = [];
  const lines = text.split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const colon = line.indexOf(':');
    const [name = '', ...parameters] = line.slice(0, Math.max(0, colon)).split(';');
    const key = name.slice(name.lastIndexOf('.') + 1).toUpperCase();
    if (key === 'BEGIN') cards.push(new Map());
    const isQuoted = parameters.some((parameter) => /QUOTED-PRINTABLE/i.test(parameter));
    let value = line.slice(colon + 1);
    if (isQuoted)
      for (; value.endsWith('=') && at + 1 < lines.length; at += 1) value = value.slice(0, -1) + lines[at + 1];
    const card = cards.at(-1);
    const heading = CARD_FIELDS[key];
    if (card === undefined || heading === undefined || value.trim() === '') continue;
    const plain = (isQuoted ? decodeQuotedPrintable(value) : value.replaceAll(/\\([,;:\\])/g, '$1'))
      .trim()
      .replace(/^(?:tel|mailto):/i, '');
    addField(card, heading, plain);
  }
  return cards;
}

function decodeQuotedPrintable(text: string): string {
  const bytes = Array.from(text.matchAll(/=([\dA-F]{2})|(.)/gisu), ([, code, sign = '']) =>
    code === undefined ? [...new TextEncoder().encode(sign)] : [parseInt(code, 16)],
  );
  return new TextDecoder().decode(new Uint8Array(bytes.flat()));
}

/** RFC 2849: records between empty lines; `::` is base64. */
function readLdif(text: string): Fields[] {
  const unfolded = text.replaceAll(/\r\n?/g, '\n').replaceAll('\n ', '');
  return unfolded.split(/\n{2,}/).flatMap((block) => {
    const record = new Map<string, string>();
    for (const line of block.split('\n')) {
      const [, key = '', isEncoded, value = ''] = /^([\w;-]{1,60}):(:?) ?(.*)$/.exec(line) ?? [];
      if (key === '' || key === 'version') continue;
      addField(record, key, isEncoded === ':' ? decodeBase64(value) : value);
    }
    return record.size > 0 ? [record] : [];
  });
}

function decodeBase64(text: string): string {
  if (!/^[\w+/]*={0,2}$/.test(text) || text.replaceAll('=', '').length % 4 === 1) return text;
  return new TextDecoder().decode(Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)));
}

/** `rows`: of its only table with an address. `isMessage`: not a list. `hasTextBeside`: there's more than the table. */
type Markup = { rows: string[][] | null; text: string; isMessage: boolean; hasTextBeside: boolean };

const TAG_OF_ADDRESS = /<([^<>@]*@[^<>@]*)>/g;

export async function readMarkup(text: string): Promise<Markup | null> {
  if (!/^\ufeff?\s*<[?!a-z][^@<>]*>/i.test(text.slice(0, 2000))) return null;
  const isSheet = /<(?:ss:)?Workbook[\s>]/i.test(text);
  if (!isSheet && !/<(?:html|body|table|tr|div|p|ul|ol|br|span|a)[\s/>]/i.test(text)) {
    return {
      rows: null,
      text: htmlToText(text.replaceAll(TAG_OF_ADDRESS, '<br>$1').replaceAll('<', '<br><')),
      isMessage: true,
      hasTextBeside: false,
    };
  }
  const tables = text.split(isSheet ? /<(?:ss:)?Worksheet(?=[\s>])/i : /<table(?=[\s>])/i).slice(1);
  const [only, ...others] = tables.filter((table) => table.includes('@'));
  const table = only?.split(/<\/table\s*>/i, 1)[0] ?? '';
  const at = text.indexOf(table);
  const above = isSheet ? (/\bss:Name="([^"]*)"/.exec(table.slice(0, 300))?.[1] ?? '') : htmlToText(text.slice(0, at));
  const below = isSheet ? '' : htmlToText(text.slice(at + table.length));
  const isMessage =
    others.length > 0 ||
    above.split('\n').some((line) => saysStay(foldHeading(line))) ||
    below.split('\n').some((line) => (line.includes('@') ? saysStay : tellsWhoStays)(foldHeading(line)));
  const rows = only === undefined || isMessage ? null : await readTableRows(only);
  return {
    rows,
    isMessage,
    hasTextBeside: !isSheet && /[\p{L}\p{N}]/u.test(above + below),
    text: htmlToText(
      isSheet
        ? text.replaceAll(/<(?=(?:ss:)?Row[\s>])/gi, '<br><').replaceAll(/<(?=(?:ss:)?Cell[\s>])/gi, '; <')
        : text,
    ),
  };
}

function readTableRows(table: string): Promise<string[][]> {
  return mapWithPauses(table.split(/<(?:tr|(?:ss:)?Row)(?=[\s>])/i).slice(1), (row) => {
    const cells: string[] = [];
    const [inner = ''] = row.split(/<\/(?:tr|(?:ss:)?Row|table)\s*>/i, 1);
    for (const cell of inner.split(/<(?=(?:t[dh]|(?:ss:)?Cell)[\s>/])/i).slice(1)) {
      const at = /\bss:Index="(\d{1,4})"/.exec(cell.slice(0, 200))?.[1];
      for (let column = cells.length + 1; column < Number(at ?? 0); column += 1) cells.push('');
      cells.push(htmlToText(`<${cell.replace(/^(?:ss:)?Cell/i, 'td')}`.replaceAll(/<a\b[^<>]*>/gi, '')).trim());
    }
    return cells;
  });
}

type JsonReading =
  | { kind: 'rows'; rows: string[][] }
  | { kind: 'list'; texts: string[] }
  | { kind: 'message'; texts: string[] }
  | { kind: 'report'; recipients: ReportRecipient[] };

const OF_TICKET = new RegExp(`"(?:${PARTIES}\\w*|conversation|messages)"\\s*:`, 'i');

export async function readJson(text: string): Promise<JsonReading | null> {
  const documents = parseDocuments(text);
  if (documents === null) return null;
  const [only] = documents;
  const { values, isKept } = documents.length > 1 ? { values: documents, isKept: false } : findRecords(only);
  const reports = (documents.length > 1 || Array.isArray(only) || isRecordsOfSns(values) ? values : documents).map(
    readReport,
  );
  if (reports.length > 0 && reports.every((report) => report !== null))
    return { kind: 'report', recipients: reports.flat() };
  const isList = values.length > 0 && !isKept && !OF_TICKET.test(text);
  if (isList && values.every((value) => typeof value === 'string')) return { kind: 'list', texts: values };
  if (isList && values.every(isObject))
    return { kind: 'rows', rows: toRows(await mapWithPauses(values, (value) => flatten(value))) };
  return { kind: 'message', texts: documents.flatMap(textsOf) };
}

const isRecordsOfSns = (values: readonly unknown[]) =>
  values.length > 0 && values.every((value) => isObject(value) && isObject(value['Sns']));

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

const isAddress = (value: unknown) => typeof value === 'string' && /^[^\s@/?]+@[^\s@/?]+$/.test(value);
const namesPerson = (value: unknown) => isAddress(value) || (isObject(value) && Object.values(value).some(isAddress));

/** The only list (with addresses) in a document, or the document if it's about a person. `isKept`: the list's name says to keep them. */
function findRecords(document: unknown): { values: unknown[]; isKept: boolean } {
  if (Array.isArray(document)) return { values: document, isKept: false };
  if (!isObject(document)) return { values: [], isKept: false };
  const lists = Object.entries(document).flatMap(([key, value]) =>
    Array.isArray(value) && value.length > 0 ? [{ key, values: value as unknown[] }] : [],
  );
  const ofPeople = lists.filter(({ values }) => values.some(namesPerson));
  if (ofPeople.length === 0 && namesPerson(document)) return { values: [document], isKept: false };
  const [only, ...others] = ofPeople.length > 0 ? ofPeople : lists;
  if (only === undefined || others.length > 0 || namesPerson(document)) return { values: [], isKept: false };
  const name = foldHeading(only.key).replaceAll('_', ' ');
  return { values: only.values, isKept: keepsThose(name) };
}

const DEPTH_MAX = 6;
/** Wrappers of a record's own fields. */
const AROUND_FIELDS = new Set(['attributes', 'properties', 'fields']);

function flatten(value: JsonObject, prefix = '', depth = 0): Map<string, string> {
  const fields = new Map<string, string>();
  for (const [key, inner] of Object.entries(value)) {
    const isAround = AROUND_FIELDS.has(key) && isObject(inner) && !Object.keys(inner).some((each) => each in value);
    const name = isAround ? prefix : prefix === '' ? key : `${prefix}.${key}`;
    if (Array.isArray(inner) && inner.every((each) => typeof each !== 'object')) fields.set(name, inner.join('\n'));
    else if (isObject(inner) && depth < DEPTH_MAX)
      for (const [at, text] of flatten(inner, name, depth + 1)) fields.set(at, text);
    else fields.set(name, typeof inner === 'string' ? inner : inner === null ? '' : JSON.stringify(inner));
  }
  return fields;
}

/** Without recursion: it may be deeply nested. */
function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const rest = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === 'string') texts.push(next);
    else if (typeof next === 'object' && next !== null)
      for (const [key, inner] of Object.entries(next).toReversed())
        rest.push(inner, ...(key.includes('@') ? [key] : []));
  }
  return texts;
}

/** A notification of Amazon SES, perhaps within one of SNS. */
function readReport(document: unknown): ReportRecipient[] | null {
  if (!isObject(document)) return null;
  const { Sns: sns, Message: message, complaint, bounce } = document;
  if (isObject(sns)) return readReport(sns);
  if (typeof message === 'string') return readReport(parse(message)?.[0]);
  if (isObject(complaint)) {
    const leftOut = complaint['complaintFeedbackType'] === 'not-spam' ? 'The report isn’t a complaint' : null;
    return readRecipients(complaint['complainedRecipients'], 'Complaint by', leftOut);
  }
  if (!isObject(bounce)) return null;
  const isPermanent = bounce['bounceType'] === 'Permanent';
  const leftOut = isPermanent ? null : 'The report doesn’t say that delivery failed permanently';
  return readRecipients(bounce['bouncedRecipients'], 'Not delivered to', leftOut);
}

const readRecipients = (recipients: unknown, source: string, leftOut: string | null): ReportRecipient[] =>
  (Array.isArray(recipients) ? recipients : []).flatMap((each: unknown) =>
    isObject(each) && typeof each['emailAddress'] === 'string'
      ? [{ address: each['emailAddress'], source, leftOut }]
      : [],
  );
