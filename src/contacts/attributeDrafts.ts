import type { QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import type { AttributeChange, DraftLine } from './attributeChanges.ts';

/** Attributes that were edited and not saved. */
export type KeptDraft = {
  /** What the draft started from; undefined where no record was known. */
  base: ReadableContact | undefined;
  lines: DraftLine[];
  conflicts: AttributeChange[];
  /** When it was last edited, in milliseconds since the epoch. */
  editedAt: number;
};

// Drafts are in the memory of the tab, in the query cache: with all other data of the session a sign-out drops them.
const KEY = 'attribute draft';

/** The draft of a contact that was left without saving or discarding it, else null. */
export function readKeptDraft(client: QueryClient, contact: string): KeptDraft | null {
  return client.getQueryData<KeptDraft>([KEY, contact]) ?? null;
}

/** Keeps the draft until it is dropped. While there is any, closing the tab and signing out ask first. */
export function keepDraft(client: QueryClient, contact: string, draft: KeptDraft): void {
  prepare(client);
  client.setQueryData<KeptDraft>([KEY, contact], draft);
}

export function dropDraft(client: QueryClient, contact: string): void {
  client.removeQueries({ queryKey: [KEY, contact], exact: true });
}

const prepared = new WeakSet<QueryClient>();

function prepare(client: QueryClient): void {
  if (prepared.has(client)) return;
  prepared.add(client);
  client.setQueryDefaults([KEY], { gcTime: Infinity });
  // SessionMenu.tsx sends the same event before a sign-out.
  window.addEventListener('beforeunload', (event) => {
    if (client.getQueryCache().findAll({ queryKey: [KEY] }).length > 0) event.preventDefault();
  });
}
