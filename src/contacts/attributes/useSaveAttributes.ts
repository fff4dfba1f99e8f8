import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { getContact } from '#contract/additions.ts';
import type { Attributes } from '#contract/values/field.ts';
import { ApiError } from '../../api/ApiError.ts';
import { useCapability } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { findRemovedAttributes } from './attributeChanges.ts';
import { useUpdateContact, useUpdates } from '../mutations.ts';
import { contactQuery } from '../queries.ts';
import type { AttributeDraft } from './useAttributeDraft.ts';

/**
 * Sends the changes of a draft. Where the service can read contacts, it is read before: if somebody else has changed
 * attributes, the draft is rebased, and nothing is sent. What an earlier try has saved, the answer to which was lost, is sent again:
 * that changes nothing twice. `onSaved` is not called where `removed` is left to decide on, nor where
 * somebody went on typing meanwhile.
 */
export function useSaveAttributes(contact: string, draft: AttributeDraft, onSaved: () => void) {
  const client = useQueryClient();
  const canRead = useCapability(getContact);
  const update = useUpdateContact(contact);
  const [removed, setRemoved] = useState<Attributes>({});
  const [check, setCheck] = useState<Error | 'pending' | null>(null);
  const { base, original, body } = draft;
  const isSending = useUpdates(contact, (updated, attributes) => {
    announce('Saved');
    const missing = findRemovedAttributes(original, attributes, updated.attributes ?? {});
    if (base !== undefined && Object.keys(missing).length > 0) setRemoved(missing);
    else if (!draft.continueFrom(updated)) onSaved();
  });
  const isPending = isSending || check === 'pending';
  /** As it is once an answer comes. */
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });

  const send = (attributes: Attributes) => {
    draft.noteSent(attributes);
    update.mutate(attributes);
  };
  const save = async () => {
    if (!draft.canSave || isPending) return;
    if (!canRead || base === undefined) return send(body);
    setCheck('pending');
    try {
      const { data: current } = await client.query({ ...contactQuery(contact), staleTime: 0 });
      setCheck(null);
      const isSame = current.updated_at === base.updated_at;
      const theirs = isSame ? [] : draft.findConflicts(current);
      if (theirs.length === 0) return send(body);
      update.reset();
      latest.current.rebase(current, theirs);
    } catch (error) {
      setCheck(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return {
    save,
    /** Attributes that were no part of the changes, and that the service removed all the same. */
    removed,
    /** Sends the changes again, together with `removed`. */
    restoreRemoved: () => send({ ...removed, ...body }),
    isPending,
    error: update.error,
    /** The service's messages by field, as in "attributes.email". */
    fieldErrors: new Map(
      update.error instanceof ApiError ? update.error.fields.map(({ field, message }) => [field, message]) : [],
    ),
    /** Why the contact could not be read before; nothing was sent. */
    checkError: check instanceof Error ? check : null,
    /** Takes away what the service said of the values that were sent. */
    clearError: () => {
      // While it is pending its answer is still wanted.
      if (update.isError) update.reset();
    },
  };
}
