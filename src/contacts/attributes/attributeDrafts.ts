import type { QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import { dropUnsaved, keepUnsaved, readUnsaved } from '../../session/unsavedDrafts.ts';
import {
  createDraft,
  createEmptyLine,
  findOthersChanges,
  parseDraft,
  reapply,
  type AttributeChange,
  type DraftLine,
} from './attributeChanges.ts';

type Draft = {
  /** What the draft started from; undefined where no record was known. The page may have a newer record. */
  base: ReadableContact | undefined;
  lines: DraftLine[];
  /** What someone else changed before the last rebase. */
  conflicts: AttributeChange[];
  /** What was last sent. Its response may have been lost, so it isn't someone else's change. */
  sent: Attributes;
};
type KeptDraft = Draft & { editedAt: number };

const nameOf = (contact: string) => `contact ${contact}`;
const attributesOf = ({ base }: Draft) => base?.attributes ?? {};

export const readKeptDraft = (client: QueryClient, contact: string): KeptDraft | null =>
  (readUnsaved(client, nameOf(contact)) as KeptDraft | undefined) ?? null;

export function keepDraft(client: QueryClient, contact: string, draft: Draft): void {
  const { changes, faults } = parseDraft(attributesOf(draft), draft.lines);
  if (changes.length + faults.size === 0) dropDraft(client, contact);
  else keepUnsaved(client, nameOf(contact), { ...draft, editedAt: Date.now() } satisfies KeptDraft);
}

export const dropDraft = (client: QueryClient, contact: string): void => dropUnsaved(client, nameOf(contact));

export function startDraft(base: ReadableContact | undefined): Draft {
  const lines = createDraft(base?.attributes ?? {});
  return { base, lines: lines.length === 0 ? [createEmptyLine([])] : lines, conflicts: [], sent: {} };
}

/** The changes applied to `current`, a newer record that has `conflicts`. */
export const rebaseDraft = (draft: Draft, current: ReadableContact, conflicts: AttributeChange[]): Draft => ({
  ...draft,
  base: current,
  conflicts,
  lines: reapply(current.attributes ?? {}, parseDraft(attributesOf(draft), draft.lines).changes),
});

/** What was typed since the changes in `updated` were sent; null if nothing was. */
export function continueDraft(draft: Draft, updated: ReadableContact): Draft | null {
  const saved = updated.attributes ?? {};
  const lines = draft.lines.flatMap((line) => {
    const exists = Object.hasOwn(saved, line.key);
    return line.removed && !exists ? [] : { ...line, isNew: line.isNew && !exists };
  });
  const { changes, faults } = parseDraft(saved, lines);
  // The service may have saved another value than was sent, such as an address without capitals.
  const isDone = faults.size === 0 && findOthersChanges(changes, draft.sent).length === 0;
  return isDone ? null : { ...draft, base: updated, lines, conflicts: [] };
}
