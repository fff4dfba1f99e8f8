import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getContact, listContactChanges, listContacts } from '#contract/additions.ts';
import type { ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { listContactEvents } from '#contract/interface.ts';
import { apiQuery, listQuery } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import { findFirst } from '../api/findFirst.ts';
import { toListQuery, type ListState } from '../table/listState.ts';
import { readAllRows } from '../table/readAllRows.ts';

export const contactsQuery = (state: ListState) => listQuery(listContacts, { query: toListQuery(state) });

export const eventsQuery = (contact: string, state: ListState) =>
  listQuery(listContactEvents, { contact, query: toListQuery(state) });

/** The record of a contact. A bare interface cannot be asked for it: the cache then holds what a write returned. */
export const contactQuery = (contact: string) => apiQuery(getContact, { contact });

export const CHANGES_PER_PAGE = 5;

/** A page of the log of changes. */
export const changesQuery = (contact: string, page: number) =>
  listQuery(listContactChanges, { contact, query: { page, per_page: CHANGES_PER_PAGE } });

/** The latest change of the subscription; null where the log has none, as for a contact imported as unsubscribed. */
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

/** The request ID of an unsubscribe in this session, else null: the only proof on a bare interface. Never fetched. */
export const unsubscribeRequestIdQuery = (contact: string) =>
  queryOptions({
    queryKey: ['answered unsubscribe', contact],
    queryFn: (): string | null => null,
    initialData: null as string | null,
    staleTime: Infinity,
    gcTime: Infinity,
  });

/**
 * Whether a contact exists, on a bare interface, which has no "get contact": its events answer 404 otherwise
 * (docs/interface.md, 7).
 */
export const existenceQuery = (contact: string) => apiQuery(listContactEvents, { contact, query: { per_page: 1 } });

/** Caches a record under its UUID, which the console addresses it by, and under the value it was looked up by. */
export function cacheContact(client: QueryClient, contact: ReadableContact, lookUpValue = contact.uuid): void {
  for (const key of new Set([contact.uuid, lookUpValue])) {
    client.setQueryData(contactQuery(key).queryKey, { data: contact });
  }
}

/** Whether a request for exactly this UUID or identity has succeeded. */
export function isContactCached(client: QueryClient, contact: string): boolean {
  return [contactQuery(contact), existenceQuery(contact)].some(({ queryKey }) => client.getQueryData(queryKey));
}

/**
 * Tries `values` in turn and returns what to address the contact by: its UUID, or on a bare interface, which does not
 * tell it, the value. Null where no value is known. Throws an `ApiError` for any failure but a 404.
 */
export async function findContact(
  client: QueryClient,
  values: readonly string[],
  canRead: boolean,
): Promise<string | null> {
  const match = await findFirst(values, async (value) => {
    if (!canRead) {
      await client.query({ ...existenceQuery(value), staleTime: 0 });
      return value;
    }
    const { data } = await client.query({ ...contactQuery(value), staleTime: 0 });
    cacheContact(client, data);
    return data.uuid;
  });
  return match && match.answer;
}

/** UUID or identity of the contacts opened since signing in, latest first: a bare interface has no list. */
export const recentContactsQuery = queryOptions({
  queryKey: ['recent contacts'],
  queryFn: (): string[] => [],
  initialData: [] as string[],
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Puts a contact first in `recentContactsQuery`, which keeps 20. */
export function rememberContact(client: QueryClient, contact: string): void {
  client.setQueryData(recentContactsQuery.queryKey, (recent = []) =>
    [contact, ...recent.filter((other) => other !== contact)].slice(0, 20),
  );
}

/**
 * A page of events. The name of the page parameter is "not shown" (docs/interface.md, 4.3): where a service ignores
 * ours, `isUnpaged` is true and one growing page is read instead, so that no row shows twice. `rowsRequested` is the
 * `per_page` that was sent.
 */
export function useEvents(contact: string, state: ListState) {
  const client = useQueryClient();
  const [isUnpaged, setUnpaged] = useState(false);
  const paged = useQuery({ ...eventsQuery(contact, state), enabled: !isUnpaged });
  const before = client.getQueryData(eventsQuery(contact, { ...state, page: state.page - 1 }).queryKey);
  const first = paged.data?.data[0]?.uuid;
  const isIgnored =
    state.page > 1 &&
    paged.data !== undefined &&
    !paged.isPlaceholderData &&
    (paged.data.meta.current_page !== state.page || (first !== undefined && first === before?.data[0]?.uuid));
  // It ignores every page, so no further page is requested.
  if (isIgnored && !isUnpaged) setUnpaged(true);
  const grownSize = state.page * state.perPage;
  const grown = useQuery({
    ...eventsQuery(contact, { ...state, page: 1, perPage: grownSize }),
    enabled: isUnpaged,
    placeholderData: (shown) => shown ?? before ?? paged.data,
  });
  return isUnpaged
    ? { query: grown, isUnpaged, rowsRequested: grownSize }
    : { query: paged, isUnpaged, rowsRequested: state.perPage };
}
