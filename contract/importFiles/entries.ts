import { isObject, parseJson } from '#contract/values/json.ts';
import { must } from '#contract/values/must.ts';
import { FILE_KINDS, type FileFacts } from './recogniseFile.ts';

/** `number` is that of a line, or of an entry, from 1. */
export type FileRow = { number: number; cells: string[] } | { number: number; fault: string };
export type Entries = FileFacts & Required<Pick<FileFacts, 'document'>> & { rows: FileRow[]; more: string | null };

/**
 * The entries of a list in JSON, or of JSON lines, as a table with the keys of all. `more` says that the list has others, where the file is
 * a page of it. `fault` says why there is none.
 */
export function readEntries(text: string): Entries | { fault: string } {
  const whole = parseJson(text);
  const value = whole === undefined ? parseJsonLines(text) : { value: whole };
  if ('fault' in value) return value;
  const document: Record<string, string> = {};
  const found = findList(value.value, document);
  if (found === null) return { fault: 'The file has no list.' };
  const { name, list } = found;
  const entries = list.map(flatten);
  const header = [...new Set(entries.flatMap((entry) => (entry === null ? [] : Object.keys(entry))))];
  if (header.length === 0) return { fault: 'The file has no entries.' };
  const rows = entries.map((entry, index): FileRow => {
    const number = index + 1;
    return entry === null
      ? { number, fault: "The entry isn't an object, or is nested more than two levels deep." }
      : { number, cells: header.map((key) => (Object.hasOwn(entry, key) ? must(entry[key]) : '')) };
  });
  return { header, document, list: name, rows, more: describeMore(value.value, rows.length) };
}

/** By the next page of SES and Mailgun, the count of Brevo, and the total of our own lists. Mailgun's last page names a next one too. */
function describeMore(value: unknown, length: number): string | null {
  if (!isObject(value)) return null;
  const { NextToken, count, paging, meta } = value as Record<string, unknown>;
  const total = isObject(meta) && 'total' in meta ? meta.total : count;
  if (typeof total === 'number' && total > length)
    return `The file says that the list has ${total} entries, and has ${length} of them. Import the others too.`;
  if (typeof NextToken === 'string' && NextToken !== '')
    return 'The file says that the list has more entries, on a next page. Import the others too.';
  if (isObject(paging) && 'next' in paging && typeof paging.next === 'string' && paging.next !== '')
    return 'The file is one page of a list, which may have more. Import the other pages too.';
  return null;
}

/** Its values keep their types. */
const ATTRIBUTES = 'attributes';

function parseJsonLines(text: string): { value: unknown[] } | { fault: string } {
  const value: unknown[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const parsed = parseJson(line);
    if (parsed === undefined) return { fault: `The file isn't JSON: see line ${value.length + 1}.` };
    value.push(parsed);
  }
  return { value };
}

function findList(value: unknown, document: Record<string, string>): { name?: string; list: unknown[] } | null {
  if (Array.isArray(value)) return { list: value };
  if (!isObject(value)) return null;
  for (const [key, field] of Object.entries(value)) if (typeof field === 'string') document[key] = field;
  const names = new Set(FILE_KINDS.map(({ list }) => list));
  const found = Object.entries(value).find(([key, field]) => names.has(key) && Array.isArray(field));
  return found === undefined ? { list: [value] } : { name: found[0], list: found[1] as unknown[] };
}

/** Texts by key, of objects in it as `reason.code`, and our `attributes` as JSON. Null for what's deeper, or no object. */
function flatten(entry: unknown): Record<string, string> | null {
  if (!isObject(entry)) return null;
  const texts = Object.entries(entry).flatMap(([key, value]) => {
    if (!isObject(value) || key === ATTRIBUTES) return [[key, textOf(key, value)] as const];
    return Object.entries(value).map(([inner, part]) => [`${key}.${inner}`, textOf(inner, part)] as const);
  });
  if (texts.some(([, text]) => text === null)) return null;
  return Object.fromEntries(texts) as Record<string, string>;
}

function textOf(key: string, value: unknown): string | null {
  if (key === ATTRIBUTES && isObject(value)) return JSON.stringify(value);
  const parts: readonly unknown[] = Array.isArray(value) ? value : [value ?? ''];
  return parts.some((part) => typeof part === 'object') ? null : parts.join();
}
