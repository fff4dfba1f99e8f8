import { useQuery, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import type { Page } from '#contract/list.ts';
import { useUrlQuery, type Step } from '../url/urlState.ts';
import { changeListState, formatListState, parseListState, type ListOptions, type ListState } from './listState.ts';

export type ListControl = {
  state: ListState;
  options: ListOptions;
  /** What the user typed, if the list is searched for something else. */
  typed?: string;
  change: (change: Partial<ListState>, how?: Step) => void;
};

export function useListState(options: ListOptions): ListControl {
  const [query, replace] = useUrlQuery();
  return {
    state: parseListState(query, options),
    options,
    change: (change, how) =>
      replace((now) => formatListState(changeListState(parseListState(now, options), change), options, now), how),
  };
}

type PageQuery<Row, Key extends QueryKey> = UseQueryOptions<Page<Row>, Error, Page<Row>, Key>;

export function useList<Row, Key extends QueryKey>(
  options: ListOptions,
  pageQuery: (state: ListState) => PageQuery<Row, Key>,
) {
  const list = useListState(options);
  return { list, query: useListPage(list, pageQuery) };
}

export function useListPage<Row, Key extends QueryKey>(
  { state }: ListControl,
  pageQuery: (state: ListState) => PageQuery<Row, Key>,
) {
  const query = useQuery(pageQuery(state));
  usePrefetch(query, pageQuery({ ...state, page: state.page + 1 }));
  return query;
}

/** Reads the next page into the cache. Opening it retries and shows errors. */
export function usePrefetch<Row, Key extends QueryKey>(
  { data, isPlaceholderData }: UseQueryResult<Page<unknown>>,
  next: PageQuery<Row, Key>,
  isPaged = true,
): void {
  const enabled = isPaged && data?.meta.has_next === true && !isPlaceholderData;
  useQuery({ ...next, enabled, retry: false, notifyOnChangeProps: [] });
}
