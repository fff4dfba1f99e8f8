import type { Attributes } from '#contract/field.ts';
import { createDraft, toDraftValue, type AttributeChange, type DraftLine } from './attributeChanges.ts';

/** A line for a new attribute, with an id that none of `lines` has. */
export function createEmptyLine(lines: readonly DraftLine[]): DraftLine {
  const id = Math.max(-1, ...lines.map((line) => line.id)) + 1;
  return { id, key: '', text: '', json: false, removed: false, isNew: true };
}

/** The lines that the form starts with: one for each attribute, or an empty one where none is known. */
export function createInitialDraft(attributes: Attributes): DraftLine[] {
  const lines = createDraft(attributes);
  return lines.length === 0 ? [createEmptyLine([])] : lines;
}

/** A draft of `attributes` to which `changes`, made to an earlier state, are applied again. */
export function rebaseDraft(attributes: Attributes, changes: readonly AttributeChange[]): DraftLine[] {
  const pending = new Map(changes.map((change) => [change.key, change]));
  const lines = createDraft(attributes).map((line) => {
    const change = pending.get(line.key);
    pending.delete(line.key);
    if (change === undefined) return line;
    if (change.after === undefined) return { ...line, removed: true };
    return { ...line, ...toDraftValue(change.after) };
  });
  for (const { key, after } of pending.values()) {
    if (after === undefined) continue;
    lines.push({ ...createEmptyLine(lines), key, ...toDraftValue(after) });
  }
  return lines;
}
