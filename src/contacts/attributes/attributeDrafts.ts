import type { QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import { dropUnsaved, keepUnsaved, readUnsaved } from '../../session/unsavedDrafts.ts';
import { findOthersChanges, parseDraft, type AttributeChange, type DraftLine } from './attributeChanges.ts';

/** Attributes that were edited and not saved. */
export type KeptDraft = {
  /** What the draft started from; undefined where no record was known. */
  base: ReadableContact | undefined;
  lines: DraftLine[];
  conflicts: AttributeChange[];
  /** What was last sent, the answer to which may have been lost. */
  sent: Attributes;
  /** When it was last edited, in milliseconds since the epoch. */
  editedAt: number;
};

const nameOf = (contact: string) => `contact ${contact}`;

/** The draft of a contact that was left without saving or discarding it, else null. */
export const readKeptDraft = (client: QueryClient, contact: string): KeptDraft | null =>
  (readUnsaved(client, nameOf(contact)) as KeptDraft | undefined) ?? null;

export const keepDraft = (client: QueryClient, contact: string, draft: KeptDraft): void =>
  keepUnsaved(client, nameOf(contact), draft);

export const dropDraft = (client: QueryClient, contact: string): void => dropUnsaved(client, nameOf(contact));

/** What was typed since the changes were sent that `updated` has, as a draft of it; null where nothing was. */
export function continueDraft<Draft extends Pick<KeptDraft, 'base' | 'lines' | 'conflicts' | 'sent'>>(
  draft: Draft,
  updated: ReadableContact,
): Draft | null {
  const saved = updated.attributes ?? {};
  const lines = draft.lines.flatMap((line) => {
    const isThere = Object.hasOwn(saved, line.key);
    return line.removed && !isThere ? [] : { ...line, isNew: line.isNew && !isThere };
  });
  const { changes, faults } = parseDraft(saved, lines);
  // The service may have saved another value than was sent, such as an address without capitals.
  const isDone = faults.size === 0 && findOthersChanges(changes, draft.sent).length === 0;
  return isDone ? null : { ...draft, base: updated, lines, conflicts: [] };
}
