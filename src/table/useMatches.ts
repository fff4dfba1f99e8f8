import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query';
import { SEARCH_MAX, type ListQuery, type Page } from '#contract/list.ts';

const PAUSE = 200;
const MATCHES_MAX = 5;

type Options<Row, Key extends QueryKey> = {
  query: (search: ListQuery) => UseQueryOptions<Page<Row>, Error, Page<Row>, Key>;
  isEnabled: (term: string) => boolean;
};

export function useMatches<Row, Key extends QueryKey>(text: string, { query, isEnabled }: Options<Row, Key>) {
  const term = text.trim();
  const [requested] = useDebouncedValue(term, PAUSE);
  const enabled = requested !== '' && requested.length <= SEARCH_MAX && isEnabled(requested);
  const { data, isFetching, error } = useQuery({
    ...query({ per_page: MATCHES_MAX, page: 1, search: requested }),
    enabled,
  });
  return {
    // A disabled query keeps the rows of an earlier search.
    rows: term !== '' && enabled ? (data?.data ?? []).slice(0, MATCHES_MAX) : [],
    isSearching: term !== '' && (requested !== term || isFetching),
    error: term === '' ? null : error,
  };
}
