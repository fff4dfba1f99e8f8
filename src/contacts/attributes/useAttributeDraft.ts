import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { createEmptyLine, findNameFaults, parseDraft, type DraftLine } from './attributeChanges.ts';
import { dropDraft, keepDraft, readKeptDraft, startDraft } from './attributeDrafts.ts';

export type AttributeDraft = ReturnType<typeof useAttributeDraft>;

/** The lines of the form and how they differ from `record`. Unsaved changes are kept for the next time the form opens. */
export function useAttributeDraft(contact: string, record: ReadableContact | undefined) {
  const client = useQueryClient();
  const [kept] = useState(() => readKeptDraft(client, contact));
  const [draft, setDraft] = useState(() => kept ?? startDraft(record));
  useEffect(() => {
    if (draft !== kept) keepDraft(client, contact, draft);
  }, [client, contact, draft, kept]);
  const { lines, base } = draft;
  const { changes, body, faults: errors } = parseDraft(base?.attributes ?? {}, lines);
  const setLines = (update: (lines: DraftLine[]) => DraftLine[]) =>
    setDraft((before) => ({ ...before, lines: update(before.lines) }));
  return {
    draft,
    setDraft,
    changes,
    /** The changes as a request body. */
    body,
    /** By line ID. */
    errors,
    /** Those about the name. */
    nameErrors: findNameFaults(lines),
    isChanged: changes.length + errors.size > 0,
    canSave: changes.length > 0 && errors.size === 0,
    keptSince: kept?.editedAt ?? null,
    edit: (id: number, part: Partial<DraftLine>) =>
      setLines((before) => before.map((line) => (line.id === id ? { ...line, ...part } : line))),
    addLine: () => setLines((before) => [...before, createEmptyLine(before)]),
    dropLine: (id: number) => setLines((before) => before.filter((line) => line.id !== id)),
    discard: () => dropDraft(client, contact),
  };
}
