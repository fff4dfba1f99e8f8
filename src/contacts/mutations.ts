import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Attributes } from '#contract/field.ts';
import { listContactChanges, listContacts, subscribeContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact, updateContact } from '#contract/interface.ts';
import { request, requestWithId } from '../api/client.ts';
import { retry, retryDelay } from '../api/retry.ts';
import { unsubscribeRequestIdQuery } from './historyQueries.ts';
import { cacheContact } from './queries.ts';

/** Updates attributes. No automatic retry: a late one could overwrite somebody's newer change. */
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

/**
 * Unsubscribes; the variable is the ID of the workspace. Idempotent, so transient errors are retried. `onUnsubscribed`
 * is also called after the page was left, but not after a sign-out.
 */
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
 * Subscribes again. No automatic retry: a late one could undo somebody's newer unsubscribe. `onSubscribed` is also
 * called after the page was left, but not after a sign-out.
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

/** False after a sign-out, which clears the mutation cache: the callbacks must not run for the next user. */
const isCurrent = (client: QueryClient, mutationKey: readonly string[]) => client.isMutating({ mutationKey }) > 0;

/** Caches the record from the response to a write, and invalidates what else the write may have changed. */
async function cacheUpdatedContact(client: QueryClient, updated: ReadableContact, contact: string): Promise<void> {
  cacheContact(client, updated, contact);
  // Not awaited: the mutation is done without its entry in the log.
  void client.invalidateQueries({ queryKey: [listContactChanges.id] });
  await client.invalidateQueries({ queryKey: [listContacts.id] });
}
