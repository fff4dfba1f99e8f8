import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import { eraseContact, type ErasureRequest, type ReadableErasure } from '#contract/person.ts';
import { requestWithId } from '../api/client.ts';
import { hideToast } from '../ui/Toast.tsx';

/** What was removed, for which request of the person (`reference`) and by which call. It names nobody. */
export type Erased = ReadableErasure & { reference?: string; requestId?: string };

/** Erases the contact. No automatic retry: the first answer may be lost, and the next would say that there is no such contact. */
export function useEraseContact(record: ReadableContact, onErased: (erased: Erased) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: ErasureRequest): Promise<Erased> => {
      const { answer, requestId } = await requestWithId(eraseContact, { contact: record.uuid, body });
      return {
        ...answer.data,
        ...(body.reference !== undefined && { reference: body.reference }),
        ...(requestId !== undefined && { requestId }),
      };
    },
    onSuccess: (erased) => {
      onErased(erased);
      // After the page no longer shows the contact: what is shown would be read again.
      setTimeout(() => forgetContact(client, record));
    },
  });
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
