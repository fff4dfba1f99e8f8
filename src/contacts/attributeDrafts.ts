import type { QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import type { Attributes } from '#contract/field.ts';
import { DRAFT } from '../session/session.ts';
import { setHasDraft } from '../session/unsavedDrafts.ts';
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

// Drafts are in the memory of the tab, in the query cache: with all other data of the session a sign-out drops them.

/** The draft of a contact that was left without saving or discarding it, else null. */
export function readKeptDraft(client: QueryClient, contact: string): KeptDraft | null {
  return client.getQueryData<KeptDraft>([DRAFT, contact]) ?? null;
}

/** Keeps the draft until it is dropped. While there is any, closing the tab asks first, and so does signing out in any tab. */
export function keepDraft(client: QueryClient, contact: string, draft: KeptDraft): void {
  prepare(client);
  client.setQueryData<KeptDraft>([DRAFT, contact], draft);
}

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

export function dropDraft(client: QueryClient, contact: string): void {
  client.removeQueries({ queryKey: [DRAFT, contact], exact: true });
}

const prepared = new WeakSet<QueryClient>();

function prepare(client: QueryClient): void {
  if (prepared.has(client)) return;
  prepared.add(client);
  client.setQueryDefaults([DRAFT], { gcTime: Infinity });
  const cache = client.getQueryCache();
  const hasDraft = () => cache.findAll({ queryKey: [DRAFT] }).length > 0;
  cache.subscribe(({ type, query }) => {
    if (query.queryKey[0] !== DRAFT || (type !== 'added' && type !== 'removed')) return;
    setHasDraft(hasDraft());
  });
  // A sign-out sends the same event first (shell/unfinishedList.ts).
  window.addEventListener('beforeunload', (event) => {
    if (hasDraft()) event.preventDefault();
  });
}
