import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Attributes } from '#contract/field.ts';
import { listContactChanges, listContacts, subscribeContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact, updateContact } from '#contract/interface.ts';
import { request, requestWithId } from '../api/client.ts';
import { retry, retryDelay } from '../queryClient.ts';
import { unsubscribeRequestIdQuery, cacheContact } from './queries.ts';

/** Changes attributes. Never tried again by itself: a late second try could overwrite somebody's newer change. */
export function useUpdateContact(contact: string) {
  const client = useQueryClient();
  const mutationKey = [updateContact.id, contact];
  return useMutation({
    mutationKey,
    mutationFn: (attributes: Attributes) => request(updateContact, { contact, body: { attributes } }),
    onSuccess: async (updated) => {
      if (isCurrent(client, mutationKey)) await cacheUpdatedContact(client, updated, contact);
    },
  });
}

type CompletedUnsubscribe = { contact: ReadableContact; workspace: string; requestId: string | undefined };

/** Unsubscribes; idempotent, so a lost answer is asked for again. `tell` is called also after the page was left. */
export function useUnsubscribe(contact: string, onUnsubscribed: (done: CompletedUnsubscribe) => void) {
  const client = useQueryClient();
  const mutationKey = [unsubscribeContact.id, contact];
  return useMutation({
    mutationKey,
    mutationFn: (workspace: string) => requestWithId(unsubscribeContact, { workspace, contact }),
    retry,
    retryDelay,
    onSuccess: async ({ answer: { data }, requestId }, workspace) => {
      if (!isCurrent(client, mutationKey)) return;
      for (const key of [contact, data.uuid])
        client.setQueryData(unsubscribeRequestIdQuery(key).queryKey, requestId ?? null);
      await cacheUpdatedContact(client, data, contact);
      if (isCurrent(client, mutationKey)) onUnsubscribed({ contact: data, workspace, requestId });
    },
  });
}

/**
 * Subscribes again. Never tried again by itself: a late second try could undo somebody's newer unsubscribe. `tell` is
 * called also after the page was left.
 */
export function useSubscribe(contact: string, onSubscribed: () => void) {
  const client = useQueryClient();
  const mutationKey = [subscribeContact.id, contact];
  return useMutation({
    mutationKey,
    mutationFn: ({ workspace, reason }: { workspace: string; reason: string }) =>
      request(subscribeContact, { workspace, contact, body: { reason } }),
    onSuccess: async ({ data }) => {
      if (!isCurrent(client, mutationKey)) return;
      await cacheUpdatedContact(client, data, contact);
      if (isCurrent(client, mutationKey)) onSubscribed();
    },
  });
}

/** Whoever signs out takes their calls along: those who sign in next are told nothing of them, and find none of their records. */
const isCurrent = (client: QueryClient, mutationKey: readonly string[]) => client.isMutating({ mutationKey }) > 0;

/** Keeps the record that a write was answered with; what else it may have changed is read again. */
async function cacheUpdatedContact(client: QueryClient, answered: ReadableContact, contact: string): Promise<void> {
  cacheContact(client, answered, contact);
  // The write is done and answered: nobody has to wait for its entry in the log to be read.
  void client.invalidateQueries({ queryKey: [listContactChanges.id] });
  await client.invalidateQueries({ queryKey: [listContacts.id] });
}
