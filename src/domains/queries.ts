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
