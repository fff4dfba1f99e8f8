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
 * Reads the next page of a list into the cache once the present one says that there is one, so that turning to it is
 * instant; null where there are no pages.
 */
export function usePrefetch<Data, Key extends QueryKey>(
  { data, isPlaceholderData }: UseQueryResult<Page<unknown>>,
  next: FetchQueryOptions<Data, Error, Data, Key> | null,
): void {
  const client = useQueryClient();
  // Rows that stand in for others say nothing of what comes after those.
  const key = next !== null && data?.meta.has_next && !isPlaceholderData ? hashKey(next.queryKey) : null;
  const read = useEffectEvent(async () => {
    // A failure here has no face on purpose: nobody asked yet, and who turns the page asks again.
    if (next !== null) await client.query({ ...next, retry: false }).catch(() => undefined);
  });
  useEffect(() => {
    if (key !== null) void read();
  }, [key]);
}
