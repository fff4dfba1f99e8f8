import { queryOptions } from '@tanstack/react-query';
import { listContactChanges } from '#contract/additions.ts';
import type { ReadableChange } from '#contract/change.ts';
import { listQuery } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import { readAllRows } from '../table/readAllRows.ts';

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
