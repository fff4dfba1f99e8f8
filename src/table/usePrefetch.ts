import {
  hashKey,
  useQueryClient,
  type FetchQueryOptions,
  type QueryKey,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Page } from '#contract/list.ts';

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
