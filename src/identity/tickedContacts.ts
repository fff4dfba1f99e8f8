import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';

// Contacts that somebody has chosen in a list. They are in the memory of the page, and a sign-out drops them.

const NOBODY: readonly ReadableContact[] = [];

const inMemory = (name: string) =>
  queryOptions({
    queryKey: [name],
    queryFn: () => NOBODY,
    initialData: NOBODY,
    staleTime: Infinity,
    gcTime: Infinity,
    // A list that is set is another one: comparing a hundred contacts with it takes longer than ticking them.
    structuralSharing: false,
  });

/** Ticked in the list of contacts, on any of its pages. */
export const tickedContactsQuery = inMemory('ticked contacts');

/** On their way to the bulk page. */
export const handedContactsQuery = inMemory('contacts for the bulk page');

/** `ticked` with these contacts ticked or unticked. */
export function changeTicks(
  ticked: readonly ReadableContact[],
  contacts: readonly ReadableContact[],
  isTicked: boolean,
): readonly ReadableContact[] {
  const changed = new Set(contacts.map(({ uuid }) => uuid));
  return [...ticked.filter(({ uuid }) => !changed.has(uuid)), ...(isTicked ? contacts : [])];
}

/** Hands contacts to the bulk page. None of the list is ticked after that. */
export function handOver(client: QueryClient, contacts: readonly ReadableContact[]): void {
  client.setQueryData(handedContactsQuery.queryKey, contacts);
  client.setQueryData(tickedContactsQuery.queryKey, NOBODY);
}

/** To be called when the bulk page has taken the contacts. */
export const dropHandedContacts = (client: QueryClient) => client.setQueryData(handedContactsQuery.queryKey, NOBODY);
