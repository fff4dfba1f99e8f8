import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { SEARCH_MAX, type ListQuery, type Page } from '#contract/list.ts';

/** Milliseconds after the last key before a request is sent. */
const PAUSE = 200;
const MATCHES_MAX = 5;

type Options<Row, Key extends QueryKey> = {
  /** The query of the list for a search. */
  query: (search: ListQuery) => UseQueryOptions<Page<Row>, Error, Page<Row>, Key>;
  /** Whether the list is to be asked for what was typed. */
  isEnabled: (term: string) => boolean;
};

/** The first rows of a list that match `text`, a moment after it was typed. */
export function useMatches<Row, Key extends QueryKey>(text: string, { query, isEnabled }: Options<Row, Key>) {
  const term = text.trim();
  const [requested] = useDebouncedValue(term, PAUSE);
  const enabled = requested !== '' && requested.length <= SEARCH_MAX && isEnabled(requested);
  const { data, isFetching, error } = useQuery({
    ...query({ per_page: MATCHES_MAX, page: 1, search: requested }),
    enabled,
  });
  return {
    // A disabled query keeps the rows of an earlier search, which must not show.
    rows: term !== '' && enabled ? (data?.data ?? []).slice(0, MATCHES_MAX) : [],
    isSearching: term !== '' && (requested !== term || isFetching),
    error: term === '' ? null : error,
  };
}
