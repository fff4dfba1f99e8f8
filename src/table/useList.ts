import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import type { Page } from '#contract/list.ts';
import type { ListOptions, ListState } from './listState.ts';
import { useListState } from './useListState.ts';
import { usePrefetch } from './usePrefetch.ts';

/** The list that the URL of the page names: its state, the query of its page, and the next page read ahead. */
export function useList<Row, Key extends QueryKey>(
  options: ListOptions,
  pageQuery: (state: ListState) => UseQueryOptions<Page<Row>, Error, Page<Row>, Key>,
) {
  const list = useListState(options);
  const query = useQuery(pageQuery(list.state));
  usePrefetch(query, pageQuery({ ...list.state, page: list.state.page + 1 }));
  return { list, query };
}
