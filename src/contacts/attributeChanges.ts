import type { Attributes } from '#contract/field.ts';

/** One line of the form. Text stands for a string; anything else is written as JSON. */
export type DraftLine = { id: number; key: string; text: string; json: boolean; removed: boolean; isNew: boolean };

export type Change = { key: string; before: unknown; after: unknown };

/** A value as a line of the form holds it. */
export function written(value: unknown): Pick<DraftLine, 'json' | 'text'> {
  return typeof value === 'string' ? { json: false, text: value } : { json: true, text: JSON.stringify(value) };
}

export function draftOf(attributes: Attributes): DraftLine[] {
  return Object.entries(attributes).map(([key, value], id) => ({
    id,
    key,
    ...written(value),
    removed: false,
    isNew: false,
  }));
}

/** What a draft asks for: the changed keys only, `null` for a removed one, or the fault of each line by its id. */
export function changesOf(
  original: Attributes,
  draft: readonly DraftLine[],
): { changes: Change[]; body: Attributes; faults: Map<number, string> } {
  const faults = new Map<number, string>();
  const changes: Change[] = [];
  const taken = new Set<string>();
  for (const line of draft) {
    const key = line.key.trim();
    if (line.isNew && key === '' && line.text === '') continue;
    const before = Object.hasOwn(original, key) ? original[key] : undefined;
    if (key === '') faults.set(line.id, 'Name this attribute.');
    else if (key === '__proto__') faults.set(line.id, 'This name is not possible.');
    else if (taken.has(key)) faults.set(line.id, `${key} is already there.`);
    taken.add(key);
    if (line.removed) {
      changes.push({ key, before, after: undefined });
      continue;
    }
    const value = valueOf(line);
    if (value === undefined) faults.set(line.id, 'This is not JSON. A text needs no quotes when "Text" is chosen.');
    else if (value === null && before === undefined) faults.set(line.id, 'null removes an attribute; this one is new.');
    else if (!same(before, value)) changes.push({ key, before, after: value === null ? undefined : value });
  }
  const body = Object.fromEntries(changes.map(({ key, after }) => [key, after === undefined ? null : after]));
  return { changes, body, faults };
}

function valueOf(line: DraftLine): unknown {
  if (!line.json) return line.text;
  try {
    return JSON.parse(line.text);
  } catch {
    return undefined;
  }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Keys that were there, were not touched, and are gone from the answer: a service that replaces instead of merging. */
export function vanished(before: Attributes, body: Attributes, after: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(before).filter(([key]) => !Object.hasOwn(body, key) && !Object.hasOwn(after, key)),
  );
}

/** What differs between two states of a contact. */
export function differences(before: Attributes, after: Attributes): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    same(before[key], after[key]) ? [] : [{ key, before: before[key], after: after[key] }],
  );
}
