import { getDomainSummary } from '#contract/additions.ts';
import { listDomains } from '#contract/interface.ts';
import type { ListQuery } from '#contract/list.ts';
import { apiQuery, listQuery } from '../api/apiQuery.ts';
import { toListQuery, type ListState } from '../table/listState.ts';

export const domainsQuery = (state: ListState) => listQuery(listDomains, { query: toDomainsQuery(state) });

/** How many domains of the workspace are in each state. */
export const domainSummaryQuery = apiQuery(getDomainSummary, {});

/**
 * The query of the list of domains. The default order, newest first, is not sent: it is the order of every service
 * (docs/interface.md, 4.4), and some may reject all sorting, because the sortable columns are "not shown".
 */
export function toDomainsQuery(state: ListState): ListQuery {
  const isNewestFirst = state.sort.id === 'created_at' && state.sort.desc;
  return isNewestFirst ? { ...toListQuery(state), sorting: [] } : toListQuery(state);
}
