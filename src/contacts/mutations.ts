import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Attributes } from '#contract/field.ts';
import { listContacts } from '#contract/additions.ts';
import { unsubscribeContact, updateContact } from '#contract/interface.ts';
import { request } from '../api/client.ts';
import { retry, retryDelay } from '../queryClient.ts';
import { keepContact } from './queries.ts';

/** Changes attributes. Never tried again by itself: a late second try could overwrite somebody's newer change. */
export function useUpdateContact(contact: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (attributes: Attributes) => request(updateContact, { contact, body: { attributes } }),
    onSuccess: async (updated) => {
      keepContact(client, updated, contact);
      await client.invalidateQueries({ queryKey: [listContacts.id] });
    },
  });
}

/** Unsubscribes; idempotent, so a lost answer is asked for again. */
export function useUnsubscribe(contact: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (workspace: string) => request(unsubscribeContact, { workspace, contact }),
    retry,
    retryDelay,
    onSuccess: async ({ data }) => {
      keepContact(client, data, contact);
      await client.invalidateQueries({ queryKey: [listContacts.id] });
    },
  });
}
