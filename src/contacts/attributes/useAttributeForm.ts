import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { getContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import type { Attributes } from '#contract/values/field.ts';
import { ApiError } from '../../api/ApiError.ts';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { useUpdateContact } from '../mutations.ts';
import { contactQuery } from '../queries.ts';
import {
  createEmptyLine,
  findNameFaults,
  parseDraft,
  type DraftLine,
  diffAttributes,
  findOthersChanges,
  findRemovedAttributes,
} from './attributeChanges.ts';
import { dropDraft, keepDraft, readKeptDraft, startDraft, continueDraft, rebaseDraft } from './attributeDrafts.ts';

type AttributeDraft = ReturnType<typeof useAttributeDraft>;

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
    ...draft,
    draft,
    setDraft,
    changes,
    body,
    /** By line ID. */
    errors,
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

/**
 * Sends the changes of a draft. If the service can read contacts and someone else has changed this one, the draft is rebased
 * instead. `onSaved` isn't called while `removed` needs a decision or something was typed since.
 */
export function useSaveAttributes(contact: string, form: AttributeDraft, onSaved: () => void) {
  const client = useQueryClient();
  const canRead = useCapability(getContact);
  const [removed, setRemoved] = useState<Attributes>({});
  const [check, setCheck] = useState<Error | 'pending' | null>(null);
  const { draft, setDraft, body, canSave } = form;
  const { base, sent } = draft;
  const original = base?.attributes ?? {};
  const update = useUpdateContact(contact, (updated, attributes) => {
    announce('Saved');
    const missing = findRemovedAttributes(original, attributes, updated.attributes ?? {});
    const rest = continueDraft(draft, updated);
    if (base !== undefined && Object.keys(missing).length > 0) setRemoved(missing);
    else if (rest === null) onSaved();
    else setDraft(rest);
  });
  const isPending = update.isPending || check === 'pending';

  const send = (attributes: Attributes) => {
    setDraft((before) => ({ ...before, sent: attributes }));
    update.mutate(attributes);
  };
  const save = async () => {
    if (!canSave || isPending) return;
    if (!canRead || base === undefined) return send(body);
    setCheck('pending');
    try {
      const { data: current } = await client.query({ ...contactQuery(contact), staleTime: 0 });
      setCheck(null);
      const changes = diffAttributes(original, current.attributes ?? {});
      const theirs = current.updated_at === base.updated_at ? [] : findOthersChanges(changes, sent);
      if (theirs.length === 0) return send(body);
      update.reset();
      setDraft((latest) => rebaseDraft(latest, current, theirs));
    } catch (error) {
      setCheck(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    save,
    /** Attributes that the service removed though they weren't among the changes. */
    removed,
    restoreRemoved: () => send({ ...removed, ...body }),
    isPending,
    error: update.error,
    fieldErrors: new Map(
      update.error instanceof ApiError ? update.error.fields.map(({ field, message }) => [field, message]) : [],
    ),
    /** Why the contact couldn't be read before; nothing was sent. */
    checkError: check instanceof Error ? check : null,
    clearError: () => {
      if (update.isError) update.reset();
    },
  };
}
