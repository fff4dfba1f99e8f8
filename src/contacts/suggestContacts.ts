import type { QueryClient } from '@tanstack/react-query';
import { getContact, listContacts } from '#contract/additions.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { type Page, SEARCH_MAX } from '#contract/list.ts';
import { suggestAddresses } from '../identity/parse/suggestAddresses.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { findContact, type FoundContact } from './queries.ts';

type Suggestion = FoundContact & { address: string };

/**
 * Contacts whose address differs from `address` by a slip in the domain. The domains are those of contacts that the page
 * has read, of others with the same local part where the service can list them, and of mailbox providers.
 */
export async function suggestContacts(
  client: QueryClient,
  address: string,
  { canRead, canList }: { canRead: boolean; canList: boolean },
): Promise<Suggestion[]> {
  if (canList) {
    const local = address.slice(0, address.lastIndexOf('@')).slice(0, SEARCH_MAX);
    await client.query(apiQuery(listContacts, { query: { search: local, per_page: 25 } }));
  }
  const found: Suggestion[] = [];
  for (const near of suggestAddresses(address, listKnownDomains(client))) {
    const match = await findContact(client, [near], canRead);
    if (match !== null) found.push({ ...match, address: near });
  }
  return found;
}

/** The domains of the addresses that are in the cache. */
function listKnownDomains(client: QueryClient): Set<string> {
  const lists = client.getQueriesData<Page<ReadableContact>>({ queryKey: [listContacts.id] });
  const records = client.getQueriesData<{ data: ReadableContact }>({ queryKey: [getContact.id] });
  const contacts = [
    ...lists.flatMap(([, page]) => page?.data ?? []),
    ...records.flatMap(([, record]) => record?.data ?? []),
  ];
  const emails = contacts.map(({ attributes }) => attributes?.['email']).filter((email) => typeof email === 'string');
  return new Set(
    emails.map((email) =>
      email
        .slice(email.lastIndexOf('@') + 1)
        .trim()
        .toLowerCase(),
    ),
  );
}
