import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { eraseContact, type ErasureRequest, type ReadableErasure } from '#contract/privacy.ts';
import { isNotFound } from '../../api/ApiError.ts';
import { requestWithId } from '../../api/client.ts';
import { isAnswerLost } from '../../identity/unsubscribe.ts';
import { hideToast } from '../../ui/Toast.tsx';

/** What was removed, for which request of the person (`reference`) and by which call. It names nobody. */
type ErasureDone = ReadableErasure & { reference?: string; requestId?: string };
/** `earlier`: a request whose answer was lost, or somebody else, has erased the person before. Nothing else removes a contact. */
export type Erased = ErasureDone | 'earlier';

/**
 * Erases the contact. No automatic retry: the user decides. Where an answer was lost, the person may be gone (`mayBeGone`). Where they are,
 * the next request says that there is no such contact. `finish` is what follows an erasure, for whoever learns of it in another way.
 */
export function useEraseContact(record: ReadableContact, onErased: (erased: Erased) => void) {
  const client = useQueryClient();
  const [mayBeGone, setMayBeGone] = useState(false);
  const finish = (erased: Erased) => {
    onErased(erased);
    // After the page no longer shows the contact: what is shown would be read again.
    setTimeout(() => forgetContact(client, record));
  };
  const mutation = useMutation({
    mutationFn: async (body: ErasureRequest): Promise<Erased> => {
      try {
        const { answer, requestId } = await requestWithId(eraseContact, { contact: record.uuid, body });
        return {
          ...answer.data,
          ...(body.reference !== undefined && { reference: body.reference }),
          ...(requestId !== undefined && { requestId }),
        };
      } catch (error) {
        if (isNotFound(error)) return 'earlier';
        if (isAnswerLost(error)) setMayBeGone(true);
        throw error;
      }
    },
    onSuccess: finish,
  });
  const note = mayBeGone ? 'The person may have been erased. It is safe to erase again.' : undefined;
  return { ...mutation, mayBeGone, note, finish };
}

/** Removes all that the tab knows of a contact: records, lists, drafts, recent contacts, and what was asked and answered. */
function forgetContact(client: QueryClient, { uuid, attributes }: ReadableContact): void {
  const { email, phone } = attributes ?? {};
  const texts = [uuid, email, phone].filter((text) => typeof text === 'string' && text !== '') as string[];
  const namesContact = (value: unknown) => {
    const json = JSON.stringify(value) ?? '';
    return texts.some((text) => json.includes(JSON.stringify(text).slice(1, -1)));
  };
  client.removeQueries({ predicate: ({ queryKey, state }) => namesContact([queryKey, state.data]) });
  client.getMutationCache().clear();
  hideToast();
}
