import {
  useQuery,
  type QueryKey,
  type UseQueryOptions,
  hashKey,
  useQueryClient,
  type FetchQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Page } from '#contract/list.ts';
import { useUrlQuery, type Step } from '../url/urlState.ts';
import { changeListState, formatListState, parseListState, type ListOptions, type ListState } from './listState.ts';

export type ListControl = {
  state: ListState;
  options: ListOptions;
  /** Writes the change to the URL. */
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

/**
 * Reads the next page of a list into the cache once the present page says that there is one. `next` is null where a
 * service has no pages.
 */
export function usePrefetch<Data, Key extends QueryKey>(
  { data, isPlaceholderData }: UseQueryResult<Page<unknown>>,
  next: FetchQueryOptions<Data, Error, Data, Key> | null,
): void {
  const client = useQueryClient();
  // Placeholder data is of another page.
  const key = next !== null && data?.meta.has_next && !isPlaceholderData ? hashKey(next.queryKey) : null;
  const read = useEffectEvent(async () => {
    // Errors are ignored: this is a prefetch; opening the page retries.
    if (next !== null) await client.query({ ...next, retry: false }).catch(() => undefined);
  });
  useEffect(() => {
    if (key !== null) void read();
  }, [key]);
}
