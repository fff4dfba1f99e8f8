import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Attributes } from '#contract/field.ts';
import { listContactChanges, listContacts, subscribeContact } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact, updateContact } from '#contract/interface.ts';
import { request, requestWithId } from '../api/client.ts';
import { retry, retryDelay } from '../queryClient.ts';
import { answeredQuery, keepContact } from './queries.ts';

/** Changes attributes. Never tried again by itself: a late second try could overwrite somebody's newer change. */
export function useUpdateContact(contact: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (attributes: Attributes) => request(updateContact, { contact, body: { attributes } }),
    onSuccess: (updated) => takeIn(client, updated, contact),
  });
}

/** Unsubscribes; idempotent, so a lost answer is asked for again. */
export function useUnsubscribe(contact: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspace: string) => requestWithId(unsubscribeContact, { workspace, contact }),
    retry,
    retryDelay,
    onSuccess: ({ answer: { data }, requestId = null }) => {
      for (const key of [contact, data.uuid]) client.setQueryData(answeredQuery(key).queryKey, requestId);
      return takeIn(client, data, contact);
    },
  });
}

/** Subscribes again. Never tried again by itself: a late second try could undo somebody's newer unsubscribe. */
export function useSubscribe(contact: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ workspace, reason }: { workspace: string; reason: string }) =>
      request(subscribeContact, { workspace, contact, body: { reason } }),
    onSuccess: ({ data }) => takeIn(client, data, contact),
  });
}

/** Keeps the record that a write was answered with; what else it may have changed is read again. */
async function takeIn(client: QueryClient, answered: ReadableContact, contact: string): Promise<void> {
  keepContact(client, answered, contact);
  // The write is done and answered: nobody has to wait for its entry in the log to be read.
  void client.invalidateQueries({ queryKey: [listContactChanges.id] });
  await client.invalidateQueries({ queryKey: [listContacts.id] });
}
