import type { Attributes } from '#contract/values/field.ts';
import { isExactNumber } from '#contract/values/json.ts';
import { formatJson, LosslessNumber } from '../../ui/format/json.ts';

export type ValueKind = 'text' | 'long' | 'number' | 'boolean' | 'json';

/** One line of the form. `text` is a string itself, or the JSON of any other value. */
export type DraftLine = { id: number; key: string; text: string; kind: ValueKind; removed: boolean; isNew: boolean };

/** `undefined`: no such attribute. */
export type AttributeChange = { key: string; before: unknown; after: unknown };

const LONG = 80;
const LINE_END = /\r\n|\r|\n/g;

const isLong = (text: string) => text.length > LONG || text.search(LINE_END) >= 0;

export function toDraftValue(value: unknown): Pick<DraftLine, 'kind' | 'text'> {
  if (typeof value === 'string') return { kind: isLong(value) ? 'long' : 'text', text: value };
  const isNumber = typeof value === 'number' || value instanceof LosslessNumber;
  const kind = isNumber ? 'number' : typeof value === 'boolean' ? 'boolean' : 'json';
  return { kind, text: formatJson(value, 0) };
}

/** The line after `text` was typed or pasted. A text becomes long with its first line break. */
export function withText({ kind }: Pick<DraftLine, 'kind'>, text: string): Pick<DraftLine, 'kind' | 'text'> {
  return { kind: kind === 'text' && text.search(LINE_END) >= 0 ? 'long' : kind, text };
}

const isString = ({ kind }: Pick<DraftLine, 'kind'>) => kind === 'text' || kind === 'long';

export function createDraft(attributes: Attributes): DraftLine[] {
  return Object.entries(attributes).map(([key, value], id) => ({
    id,
    key,
    ...toDraftValue(value),
    removed: false,
    isNew: false,
  }));
}

export function createEmptyLine(lines: readonly DraftLine[]): DraftLine {
  const id = Math.max(-1, ...lines.map((line) => line.id)) + 1;
  return { id, key: '', text: '', kind: 'text', removed: false, isNew: true };
}

/** A draft of `attributes` with `changes`, which were made to an earlier state. */
export function reapply(attributes: Attributes, changes: readonly AttributeChange[]): DraftLine[] {
  const pending = new Map(changes.map((change) => [change.key, change]));
  const lines = createDraft(attributes).map((line) => {
    const change = pending.get(line.key);
    pending.delete(line.key);
    if (change === undefined) return line;
    return change.after === undefined ? { ...line, removed: true } : { ...line, ...toDraftValue(change.after) };
  });
  for (const { key, after } of pending.values())
    if (after !== undefined) lines.push({ ...createEmptyLine(lines), key, ...toDraftValue(after) });
  return lines;
}

/** A text area makes every line end "\n". */
export const withLineEnds = (before: string, typed: string): string =>
  typed.replaceAll('\n', before.match(LINE_END)?.[0] ?? '\n');

/** Compares a draft with the attributes it started from. In `body`, null removes; `faults` are messages by line ID. */
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

export function findNameFaults(draft: readonly DraftLine[]): Map<number, string> {
  const faults = new Map<number, string>();
  const taken = new Set<string>();
  for (const line of draft) {
    const key = nameOf(line);
    if (isEmpty(line)) continue;
    if (line.isNew && key === '') faults.set(line.id, 'Name this attribute.');
    else if (line.isNew && key === '__proto__') faults.set(line.id, 'This name isn’t possible.');
    else if (taken.has(key)) faults.set(line.id, `${key} already exists.`);
    taken.add(key);
  }
  return faults;
}

/** An existing name keeps its blanks. */
const nameOf = ({ isNew, key }: DraftLine) => (isNew ? key.trim() : key);

const isEmpty = (line: DraftLine) => line.isNew && nameOf(line) === '' && line.text === '';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const TOO_LARGE = 'This number is too large to be kept exactly. Choose "Text" instead.';

function parseValue(line: DraftLine): { value?: unknown; error?: string } {
  if (isString(line)) return { value: line.text };
  const text = line.text.trim();
  if (line.kind === 'number' && !NUMBER.test(text)) {
    return { error: 'This isn’t a number like 1234.5. Choose "Text" to keep it as it is.' };
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
    return { error: 'This isn’t JSON. For text without quotes, choose "Text".' };
  }
}

function isUnchanged(line: DraftLine, value: unknown): boolean {
  const { kind, text } = toDraftValue(value);
  return (line.kind === kind || (isString(line) && isString({ kind }))) && line.text === text;
}

const same = (a: unknown, b: unknown) => formatJson(a, 0) === formatJson(b, 0);

// Own properties only: every object inherits a `constructor`.
const valueIn = (attributes: Attributes, key: string) => (Object.hasOwn(attributes, key) ? attributes[key] : undefined);

/** Attributes that `body` didn't change and the response lacks: the service replaces instead of merging. */
export function findRemovedAttributes(before: Attributes, body: Attributes, after: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(before).filter(([key]) => !Object.hasOwn(body, key) && !Object.hasOwn(after, key)),
  );
}

export function findOthersChanges(changes: readonly AttributeChange[], sent: Attributes): AttributeChange[] {
  return changes.filter(({ key, after }) => !Object.hasOwn(sent, key) || !same(sent[key] ?? undefined, after));
}

export function diffAttributes(before: Attributes, after: Attributes): AttributeChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => ({ key, before: valueIn(before, key), after: valueIn(after, key) }))
    .filter((change) => !same(change.before, change.after));
}
