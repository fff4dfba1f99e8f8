import { useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { diffAttributes, parseDraft, type AttributeChange, type DraftLine } from './attributeChanges.ts';
import { createEmptyLine, createInitialDraft, rebaseDraft } from './attributeDraft.ts';

export type AttributeDraft = ReturnType<typeof useAttributeDraft>;

/** The lines of the form, and how they differ from `record`, the contact as it was last read. */
export function useAttributeDraft(record: ReadableContact | undefined) {
  /** What the draft started from; the page may have read a newer record since. */
  const [base, setBase] = useState(record);
  const original = base?.attributes ?? {};
  const [lines, setLines] = useState(() => createInitialDraft(original));
  const [conflicts, setConflicts] = useState<AttributeChange[]>([]);
  const { changes, body, faults: errors } = parseDraft(original, lines);
  return {
    base,
    original,
    lines,
    changes,
    /** The changes as the body of a request. */
    body,
    /** By the id of the line. */
    errors,
    canSave: changes.length > 0 && errors.size === 0,
    /** What somebody else changed before `rebase`. */
    conflicts,
    edit: (id: number, part: Partial<DraftLine>) =>
      setLines((before) => before.map((line) => (line.id === id ? { ...line, ...part } : line))),
    addLine: () => setLines((before) => [...before, createEmptyLine(before)]),
    /** Applies the changes to a newer record instead. */
    rebase: (current: ReadableContact) => {
      setConflicts(diffAttributes(original, current.attributes ?? {}));
      setBase(current);
      setLines(rebaseDraft(current.attributes ?? {}, changes));
    },
  };
}
