import type { QueryClient } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import type { EndpointReading } from '#contract/endpoint.ts';
import { listDomains } from '#contract/interface.ts';
import type { ListQuery } from '#contract/list.ts';
import { listQuery } from '../api/apiQuery.ts';
import { toListQuery, type ListState } from '../table/listState.ts';

export const domainsQuery = (state: ListState) => listQuery(listDomains, { query: toDomainsQuery(state) });

/**
 * The query of the list of domains. The default order, newest first, is not sent: it is the order of every service
 * (docs/interface.md, 4.4), and some may reject all sorting, because the sortable columns are "not shown".
 */
export function toDomainsQuery(state: ListState): ListQuery {
  const isNewestFirst = state.sort.id === 'created_at' && state.sort.desc;
  return isNewestFirst ? { ...toListQuery(state), sorting: [] } : toListQuery(state);
}

/** Replaces the domain wherever it is in the cache. The lists are fetched again when they are shown next. */
export function cacheDomain(client: QueryClient, domain: ReadableDomain): void {
  client.setQueriesData<ReadableDomain | null>({ queryKey: ['domain'] }, (cached) =>
    cached?.uuid === domain.uuid ? domain : cached,
  );
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: [listDomains.id] })) {
    client.setQueryData<EndpointReading<typeof listDomains>>(
      queryKey,
      (page) => page && { ...page, data: page.data.map((row) => (row.uuid === domain.uuid ? domain : row)) },
      // Only this row is new.
      { updatedAt: state.dataUpdatedAt },
    );
  }
  void client.invalidateQueries({ queryKey: [listDomains.id], refetchType: 'none' });
}
