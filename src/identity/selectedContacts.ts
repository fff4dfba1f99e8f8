import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';

const NOBODY: readonly ReadableContact[] = [];

/** In the memory of the page: a sign-out drops it. */
const inMemory = (name: string) =>
  queryOptions({
    queryKey: [name],
    queryFn: () => NOBODY,
    initialData: NOBODY,
    staleTime: Infinity,
    gcTime: Infinity,
    // Comparing a hundred contacts takes longer than selecting them.
    structuralSharing: false,
  });

/** Selected on any page of the list of contacts. */
export const selectedContactsQuery = inMemory('selected contacts');

/** On their way to the bulk page. */
export const handedContactsQuery = inMemory('contacts for the bulk page');

export function handOver(client: QueryClient, contacts: readonly ReadableContact[]): void {
  client.setQueryData(handedContactsQuery.queryKey, contacts);
  client.setQueryData(selectedContactsQuery.queryKey, NOBODY);
}

export const dropHandedContacts = (client: QueryClient) => client.setQueryData(handedContactsQuery.queryKey, NOBODY);
