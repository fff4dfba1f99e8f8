import type { Attributes } from '#contract/values/field.ts';
import { isExactNumber } from '#contract/values/exactNumber.ts';
import { formatJson, LosslessNumber } from '../../ui/format/json.ts';

/** What a value is edited as. `text` and `long` are strings; the other kinds are their JSON. */
export type ValueKind = 'text' | 'long' | 'number' | 'boolean' | 'json';

/** One line of the form. `text` is a string value itself, or the JSON of a value of the other kinds. */
export type DraftLine = { id: number; key: string; text: string; kind: ValueKind; removed: boolean; isNew: boolean };

/** `undefined` where there was, or will be, no such attribute. */
export type AttributeChange = { key: string; before: unknown; after: unknown };

/** In characters. A longer string is edited as a long text. */
const LONG = 80;
const LINE_END = /\r\n|\r|\n/g;

/** Whether Enter is a line break in the field of this string, and not the end of the input. */
const isLong = (text: string) => text.length > LONG || text.search(LINE_END) >= 0;

/** A value as a line of the form holds it. */
export function toDraftValue(value: unknown): Pick<DraftLine, 'kind' | 'text'> {
  if (typeof value === 'string') return { kind: isLong(value) ? 'long' : 'text', text: value };
  const isNumber = typeof value === 'number' || value instanceof LosslessNumber;
  const kind = isNumber ? 'number' : typeof value === 'boolean' ? 'boolean' : 'json';
  return { kind, text: formatJson(value, 0) };
}

/** The line after `text` was typed or pasted. A text that got a line break is a long one from then on. */
export function withText({ kind }: Pick<DraftLine, 'kind'>, text: string): Pick<DraftLine, 'kind' | 'text'> {
  return { kind: kind === 'text' && text.search(LINE_END) >= 0 ? 'long' : kind, text };
}

/** Whether the value of the line would be a string. */
const isString = ({ kind }: Pick<DraftLine, 'kind'>) => kind === 'text' || kind === 'long';

/** One line for each attribute, with ids from 0. */
export function createDraft(attributes: Attributes): DraftLine[] {
  return Object.entries(attributes).map(([key, value], id) => ({
    id,
    key,
    ...toDraftValue(value),
    removed: false,
    isNew: false,
  }));
}

/**
 * The text typed into a text area, which makes every line end "\n", with the line ends of `before`. New lines get the
 * first line end of `before`.
 */
export function withLineEnds(before: string, typed: string): string {
  const ends = before.match(LINE_END) ?? [];
  const linesBefore = before.split(LINE_END);
  const lines = typed.split('\n');
  const added = lines.length - linesBefore.length;
  let same = 0;
  while (same < ends.length && same < lines.length - 1 && linesBefore[same] === lines[same]) same++;
  return lines.reduce((text, line, at) => {
    const end = at - 1;
    const was = end < same ? end : end - added;
    return `${text}${(end >= same && was < same ? ends[0] : ends[was]) ?? '\n'}${line}`;
  });
}

/**
 * Compares a draft with the attributes it started from. `body` is for the request: the changed keys only, null for a
 * removed one. `faults` are error messages by the id of their line.
 */
export function parseDraft(
  original: Attributes,
  draft: readonly DraftLine[],
): { changes: AttributeChange[]; body: Attributes; faults: Map<number, string> } {
  const faults = findNameFaults(draft);
  const changes: AttributeChange[] = [];
  for (const line of draft) {
    const key = nameOf(line);
    if (isEmpty(line) || faults.has(line.id)) continue;
    const before = valueIn(original, key);
    if (line.removed) {
      changes.push({ key, before, after: undefined });
      continue;
    }
    if (!line.isNew && isUnchanged(line, before)) continue;
    const { value, error } = parseValue(line);
    if (error !== undefined) faults.set(line.id, error);
    else if (value === null && before === undefined) faults.set(line.id, 'null removes an attribute; this one is new.');
    else if (!same(before, value)) changes.push({ key, before, after: value === null ? undefined : value });
  }
  const body = Object.fromEntries(changes.map(({ key, after }) => [key, after === undefined ? null : after]));
  return { changes, body, faults };
}

/** What is wrong with the names of new lines, by the id of the line. */
export function findNameFaults(draft: readonly DraftLine[]): Map<number, string> {
  const faults = new Map<number, string>();
  const taken = new Set<string>();
  for (const line of draft) {
    const key = nameOf(line);
    if (isEmpty(line)) continue;
    if (line.isNew && key === '') faults.set(line.id, 'Name this attribute.');
    else if (line.isNew && key === '__proto__') faults.set(line.id, 'This name is not possible.');
    else if (taken.has(key)) faults.set(line.id, `${key} is already there.`);
    taken.add(key);
  }
  return faults;
}

/** An existing name is kept as it is, blanks included. */
const nameOf = ({ isNew, key }: DraftLine) => (isNew ? key.trim() : key);

/** Whether it is a new line in which nothing was written yet. */
const isEmpty = (line: DraftLine) => line.isNew && nameOf(line) === '' && line.text === '';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TOO_LARGE = 'This number is too large to be kept exactly. Choose "Text" for it.';

function parseValue(line: DraftLine): { value?: unknown; error?: string } {
  if (isString(line)) return { value: line.text };
  const text = line.text.trim();
  if (line.kind === 'number' && !NUMBER.test(text)) {
    return { error: 'This is not a number like 1234.5. Choose "Text" to keep it as it is.' };
  }
  if (line.kind === 'boolean' && text !== 'true' && text !== 'false') return { error: 'Choose yes or no.' };
  let inexact = false;
  try {
    const value: unknown = JSON.parse(text, (_, part: unknown) => {
      // 1e400 would be sent as null, which removes the attribute, and 12345678901234567890 with other digits.
      inexact ||= typeof part === 'number' && !isExactNumber(part);
      return part;
    });
    return inexact ? { error: TOO_LARGE } : { value };
  } catch {
    return { error: 'This is not JSON. A text needs no quotes when "Text" is chosen.' };
  }
}

/** A string is the same as a text and as a long text. */
function isUnchanged(line: DraftLine, value: unknown): boolean {
  const { kind, text } = toDraftValue(value);
  return (line.kind === kind || (isString(line) && isString({ kind }))) && line.text === text;
}

const same = (a: unknown, b: unknown) => formatJson(a, 0) === formatJson(b, 0);

/** Own properties only: every object inherits a `constructor`. */
const valueIn = (attributes: Attributes, key: string) => (Object.hasOwn(attributes, key) ? attributes[key] : undefined);

/** Attributes that `body` did not change and the response lacks: the service replaces instead of merging. */
export function findRemovedAttributes(before: Attributes, body: Attributes, after: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(before).filter(([key]) => !Object.hasOwn(body, key) && !Object.hasOwn(after, key)),
  );
}

/** The changes that are not what `sent`, the body of a request, made. */
export function findOthersChanges(changes: readonly AttributeChange[], sent: Attributes): AttributeChange[] {
  return changes.filter(({ key, after }) => !Object.hasOwn(sent, key) || !same(sent[key] ?? undefined, after));
}

export function diffAttributes(before: Attributes, after: Attributes): AttributeChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => ({ key, before: valueIn(before, key), after: valueIn(after, key) }))
    .filter((change) => !same(change.before, change.after));
}
