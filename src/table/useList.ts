import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import type { Page } from '#contract/list.ts';
import type { ListOptions, ListState } from './listState.ts';
import { useListState, type ListControl } from './useListState.ts';
import { usePrefetch } from './usePrefetch.ts';

/** The list that the URL of the page names: its state, the query of its page, and the next page read ahead. */
export function useList<Row, Key extends QueryKey>(options: ListOptions, pageQuery: PageQuery<Row, Key>) {
  const list = useListState(options);
  return { list, query: useListPage(list, pageQuery) };
}

type PageQuery<Row, Key extends QueryKey> = (state: ListState) => UseQueryOptions<Page<Row>, Error, Page<Row>, Key>;

/** The page of a list that its state names; the next page is read ahead. */
export function useListPage<Row, Key extends QueryKey>({ state }: ListControl, pageQuery: PageQuery<Row, Key>) {
  const query = useQuery(pageQuery(state));
  usePrefetch(query, pageQuery({ ...state, page: state.page + 1 }));
  return query;
}
