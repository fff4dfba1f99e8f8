import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getContact, listContactChanges, listContacts } from '#contract/additions.ts';
import type { ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listContactEvents } from '#contract/interface.ts';
import { apiQuery, listQuery } from '../api/apiQuery.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { toListQuery, type ListState } from '../table/listState.ts';
import { readAllRows } from '../table/readAllRows.ts';

export const contactsQuery = (state: ListState) => listQuery(listContacts, { query: toListQuery(state) });

export const eventsQuery = (contact: string, state: ListState) =>
  listQuery(listContactEvents, { contact, query: toListQuery(state) });

/** The record of a contact. On a bare interface it is never asked for, but holds what the answer of a write brought. */
export const contactQuery = (contact: string) => apiQuery(getContact, { contact });

export const CHANGES_PER_PAGE = 5;

/** A page of the log of changes. */
export const changesQuery = (contact: string, page: number) =>
  listQuery(listContactChanges, { contact, query: { page, per_page: CHANGES_PER_PAGE } });

/** The change that set the subscription to what it is; null where the log has none, as for one who was imported so. */
export const lastSubscriptionQuery = (contact: string) =>
  queryOptions({
    queryKey: [listContactChanges.id, 'last of the subscription', contact],
    queryFn: async ({ signal }): Promise<ReadableChange | null> => {
      const pages = readAllRows((page, per_page) =>
        request(listContactChanges, { contact, query: { page, per_page } }, signal),
      );
      for await (const { rows } of pages) {
        const found = rows.find((change) => change.changes?.some(({ field }) => field === 'subscribed'));
        if (found !== undefined) return found;
      }
      return null;
    },
  });

/** The id of the request that an unsubscribe of this session was answered under: all a bare service leaves to prove it. */
export const unsubscribeRequestIdQuery = (contact: string) =>
  queryOptions({
    queryKey: ['answered unsubscribe', contact],
    queryFn: (): string | null => null,
    initialData: null as string | null,
    staleTime: Infinity,
    gcTime: Infinity,
  });

/** A bare interface has no "get contact": whether there is one is told by its events (404, docs/interface.md, 7). */
export const existenceQuery = (contact: string) => apiQuery(listContactEvents, { contact, query: { per_page: 1 } });

/**
 * Keeps the record an answer brought: under its UUID, from then on the contact's address in the console, and under
 * what it was asked by.
 */
export function cacheContact(client: QueryClient, contact: ReadableContact, lookUpValue = contact.uuid): void {
  for (const key of new Set([contact.uuid, lookUpValue])) {
    client.setQueryData(contactQuery(key).queryKey, { data: contact });
  }
}

/** Whether the service answered to exactly this already. */
export function isContactCached(client: QueryClient, contact: string): boolean {
  return [contactQuery(contact), existenceQuery(contact)].some(({ queryKey }) => client.getQueryData(queryKey));
}

/**
 * Finds a contact by the first of `values` the service knows, and gives what to address it by: its UUID, or on a bare
 * interface, which tells no UUID, that value. Null when it knows none of them.
 */
export async function findContact(
  client: QueryClient,
  values: readonly string[],
  canRead: boolean,
): Promise<string | null> {
  for (const value of values) {
    try {
      if (!canRead) {
        await client.query({ ...existenceQuery(value), staleTime: 0 });
        return value;
      }
      const { data } = await client.query({ ...contactQuery(value), staleTime: 0 });
      cacheContact(client, data);
      return data.uuid;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  return null;
}

/** The contacts opened since signing in, latest first: what a bare interface has instead of a list. */
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

/**
 * A page of events. The name of the page parameter is "not shown" (docs/interface.md, 4.3): where a service ignores ours, one
 * growing page stands in, so that no row is shown twice. `asked` is how many rows the service was asked for.
 */
export function useEvents(contact: string, state: ListState) {
  const client = useQueryClient();
  const [unpaged, setUnpaged] = useState(false);
  const paged = useQuery({ ...eventsQuery(contact, state), enabled: !unpaged });
  const before = client.getQueryData(eventsQuery(contact, { ...state, page: state.page - 1 }).queryKey);
  const first = paged.data?.data[0]?.uuid;
  const ignored =
    state.page > 1 &&
    paged.data !== undefined &&
    !paged.isPlaceholderData &&
    (paged.data.meta.current_page !== state.page || (first !== undefined && first === before?.data[0]?.uuid));
  // A service does not change its mind: from now on it is not asked for pages.
  if (ignored && !unpaged) setUnpaged(true);
  const asked = state.page * state.perPage;
  const grown = useQuery({
    ...eventsQuery(contact, { ...state, page: 1, perPage: asked }),
    enabled: unpaged,
    placeholderData: (shown) => shown ?? before ?? paged.data,
  });
  return unpaged ? { query: grown, unpaged, asked } : { query: paged, unpaged, asked: state.perPage };
}
