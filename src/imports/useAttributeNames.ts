import { useQueries } from '@tanstack/react-query';
import { listContacts } from '#contract/additions.ts';
import { apiQuery } from '../api/apiQuery.ts';

/** Names of attributes that the workspace has, by its first and its last contacts. */
export function useAttributeNames(): readonly string[] {
  return useQueries({
    queries: [true, false].map((desc) =>
      apiQuery(listContacts, { query: { page: 1, per_page: 100, sorting: [{ id: 'created_at', desc }] } }),
    ),
    combine: (results) => {
      const contacts = results.flatMap(({ data }) => data?.data ?? []);
      return [...new Set(contacts.flatMap(({ attributes }) => Object.keys(attributes ?? {})))];
    },
  });
}
