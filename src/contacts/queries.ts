import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getContactActivity } from '#contract/activity.ts';
import { getContact, listContacts } from '#contract/additions.ts';
import { listChanges } from '#contract/auditLog.ts';
import { listContactChanges } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listContactEvents } from '#contract/interface.ts';
import { apiQuery, listQuery } from '../api/apiQuery.ts';
import { findByValues } from '../identity/findContact.ts';
import { toListQuery, type ListState } from '../table/useList.ts';

export const contactsQuery = (state: ListState) => listQuery(listContacts, { query: toListQuery(state) });

/** On a bare interface, which can't be asked for it, the cache has what a write returned. */
export const contactQuery = (contact: string) => apiQuery(getContact, { contact });

/** Whether a contact exists, on a bare interface: its events are 404 otherwise (docs/interface.md, 7). */
export const existenceQuery = (contact: string) => apiQuery(listContactEvents, { contact, query: { per_page: 1 } });

export function cacheContact(client: QueryClient, contact: ReadableContact, lookUpValue = contact.uuid): void {
  for (const key of new Set([contact.uuid, lookUpValue])) {
    client.setQueryData(contactQuery(key).queryKey, { data: contact });
  }
}

/** The record, its events and its changes: all that its page shows. */
export async function readContactAgain(client: QueryClient): Promise<void> {
  const shown = [getContact, getContactActivity, listContactEvents, listContactChanges, listChanges];
  await Promise.all(shown.map(({ id }) => client.invalidateQueries({ queryKey: [id] })));
}

/** `contact`: its UUID, or the value that found it on a bare interface. */
export type FoundContact = { contact: string; record: ReadableContact | null };

/** The contact with the first known of `values`. Throws an `ApiError` for any failure but a 404. */
export async function findContact(
  client: QueryClient,
  values: readonly string[],
  canRead: boolean,
): Promise<FoundContact | null> {
  const match = await findByValues(values, canRead, (endpoint, input) =>
    client.query({ ...apiQuery(endpoint, input), staleTime: 0 }),
  );
  if (match === null) return null;
  const { value, answer: record } = match;
  if (record !== null) cacheContact(client, record);
  return { contact: record?.uuid ?? value, record };
}

export const recentContactsQuery = queryOptions({
  queryKey: ['recent contacts'],
  queryFn: (): string[] => [],
  initialData: [] as string[],
  staleTime: Infinity,
  gcTime: Infinity,
});

export function rememberContact(client: QueryClient, contact: string): void {
  client.setQueryData(recentContactsQuery.queryKey, (recent = []) =>
    [contact, ...recent.filter((other) => other !== contact)].slice(0, 20),
  );
}
