import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type RefObject } from 'react';
import { listContacts } from '#contract/additions.ts';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { updateContact } from '#contract/interface.ts';
import type { Attributes } from '#contract/values/field.ts';
import { ApiError } from '../api/ApiError.ts';
import { readAgain } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import { continueDraft, dropDraft, keepDraft, readKeptDraft } from './attributes/attributeDrafts.ts';
import { isResponseLost } from '../identity/unsubscribe.ts';
import { cacheContact, contactQuery, readContactAgain } from './queries.ts';
import { type NamedContact, toastFailures } from './unsubscribe/FailureList.tsx';

// The callbacks also run after the page was left, but not after a sign-out.

/** Updates attributes. No automatic retry: a late one could overwrite someone else's newer change. */
export function useUpdateContact(contact: string, onUpdated: (updated: ReadableContact, sent: Attributes) => void) {
  const client = useQueryClient();
  const mutationKey = [updateContact.id, contact];
  return useMutation({
    mutationKey,
    mutationFn: (attributes: Attributes) => request(updateContact, { contact, body: { attributes } }),
    onSuccess: async (updated, sent) => {
      if (!isCurrent(client, mutationKey)) return;
      const draft = readKeptDraft(client, contact);
      const rest = draft && continueDraft(draft, updated);
      if (rest === null) dropDraft(client, contact);
      else keepDraft(client, contact, rest);
      await cacheUpdatedContact(client, updated, contact);
      if (isCurrent(client, mutationKey)) onUpdated(updated, sent);
    },
  });
}

/** Subscribes again. No automatic retry: a late one could undo someone else's newer unsubscribe. */
export function useSubscribe(contacts: readonly NamedContact[], onSubscribed: () => void) {
  const client = useQueryClient();
  const isShown = useIsShown();
  const mutationKey = [subscribeContact.id, ...contacts.map(({ contact }) => contact)];
  return useMutation({
    mutationKey,
    mutationFn: async ({ workspace, reason }: { workspace: string; reason: string }) => {
      for (const [at, { contact, seen }] of contacts.entries()) {
        try {
          const body = { reason, ...(seen !== undefined && { seen }) };
          const { data } = await request(subscribeContact, { workspace, contact, body });
          if (!isCurrent(client, mutationKey)) return;
          await cacheUpdatedContact(client, data, contact);
        } catch (error) {
          // Somebody unsubscribed the contact meanwhile: the page shows who and why.
          if (error instanceof ApiError && error.status === 409) void readAgain(client, listContactChanges);
          if (isResponseLost(error) && isCurrent(client, mutationKey)) void readContactAgain(client);
          if (!isShown.current && isCurrent(client, mutationKey))
            toastFailures([{ contacts: contacts.slice(at), error }], 'subscribed again');
          throw error;
        }
      }
    },
    onSuccess: () => {
      if (isCurrent(client, mutationKey)) onSubscribed();
    },
  });
}

/** Whether the component that shows the error of its request is still there. */
export function useIsShown(): RefObject<boolean> {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/** False after a sign-out, which clears the mutation cache: callbacks must not run for the next user. */
export const isCurrent = (client: QueryClient, mutationKey: readonly string[]) =>
  client.isMutating({ mutationKey }) > 0;

export async function cacheUpdatedContact(
  client: QueryClient,
  updated: ReadableContact,
  contact: string,
): Promise<void> {
  // A read that began before the write would replace it.
  for (const key of [updated.uuid, contact]) void client.cancelQueries({ queryKey: contactQuery(key).queryKey });
  cacheContact(client, updated, contact);
  // Not awaited: the mutation doesn't depend on its log entry.
  void readAgain(client, listContactChanges);
  await readAgain(client, listContacts);
}
