import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import {
  createDraft,
  diffAttributes,
  findNameFaults,
  findOthersChanges,
  parseDraft,
  toDraftValue,
  type AttributeChange,
  type DraftLine,
} from './attributeChanges.ts';
import { continueDraft, dropDraft, keepDraft, readKeptDraft } from './attributeDrafts.ts';

export type AttributeDraft = ReturnType<typeof useAttributeDraft>;

/**
 * The lines of the form, and how they differ from `record`, the contact as it was last read. While they differ the draft
 * is kept, and the form starts with it the next time.
 */
export function useAttributeDraft(contact: string, record: ReadableContact | undefined) {
  const client = useQueryClient();
  const [kept] = useState(() => readKeptDraft(client, contact));
  /** What the draft started from; the page may have read a newer record since. */
  const [base, setBase] = useState(kept === null ? record : kept.base);
  const original = base?.attributes ?? {};
  const [lines, setLines] = useState(() => kept?.lines ?? createInitialDraft(original));
  const [conflicts, setConflicts] = useState<AttributeChange[]>(kept?.conflicts ?? []);
  const [sent, setSent] = useState<Attributes>(kept?.sent ?? {});
  const { changes, body, faults: errors } = parseDraft(original, lines);
  const isChanged = changes.length + errors.size > 0;
  const keep = useEffectEvent((edited: DraftLine[]) => {
    if (!isChanged) dropDraft(client, contact);
    else keepDraft(client, contact, { base, lines: edited, conflicts, sent, editedAt: Date.now() });
  });
  useEffect(() => {
    if (lines !== kept?.lines || sent !== kept.sent) keep(lines);
  }, [lines, sent, kept]);
  return {
    base,
    original,
    lines,
    changes,
    /** The changes as the body of a request. */
    body,
    /** By the id of the line. */
    errors,
    /** Those of `errors` that are about the name. */
    nameErrors: findNameFaults(lines),
    isChanged,
    canSave: changes.length > 0 && errors.size === 0,
    /** What somebody else changed before `rebase`. */
    conflicts,
    /** Notes what is sent: where the answer is lost, it is not taken for a change by somebody else. */
    noteSent: setSent,
    /** What somebody else has changed in `current`, a newer record. */
    findConflicts: (current: ReadableContact) =>
      findOthersChanges(diffAttributes(original, current.attributes ?? {}), sent),
    /** When a draft that the form started with was last edited, in milliseconds since the epoch; else null. */
    keptSince: kept?.editedAt ?? null,
    edit: (id: number, part: Partial<DraftLine>) =>
      setLines((before) => before.map((line) => (line.id === id ? { ...line, ...part } : line))),
    addLine: () => setLines((before) => [...before, createEmptyLine(before)]),
    dropLine: (id: number) => setLines((before) => before.filter((line) => line.id !== id)),
    /** Applies the changes to a newer record instead, in which somebody else made those of `theirs`. */
    rebase: (current: ReadableContact, theirs: AttributeChange[]) => {
      setConflicts(theirs);
      setBase(current);
      setLines(rebaseDraft(current.attributes ?? {}, changes));
    },
    /** Leaves in the form what was typed since the changes were sent that `updated` has. False where nothing was. */
    continueFrom: (updated: ReadableContact): boolean => {
      const rest = continueDraft({ base, lines, conflicts, sent }, updated);
      if (rest === null) return false;
      setConflicts(rest.conflicts);
      setBase(rest.base);
      setLines(rest.lines);
      return true;
    },
    discard: () => dropDraft(client, contact),
  };
}

/** A line for a new attribute, with an id that none of `lines` has. */
function createEmptyLine(lines: readonly DraftLine[]): DraftLine {
  const id = Math.max(-1, ...lines.map((line) => line.id)) + 1;
  return { id, key: '', text: '', kind: 'text', removed: false, isNew: true };
}

/** The lines that the form starts with: one for each attribute, or an empty one where none is known. */
function createInitialDraft(attributes: Attributes): DraftLine[] {
  const lines = createDraft(attributes);
  return lines.length === 0 ? [createEmptyLine([])] : lines;
}

/** A draft of `attributes` to which `changes`, made to an earlier state, are applied again. */
function rebaseDraft(attributes: Attributes, changes: readonly AttributeChange[]): DraftLine[] {
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
