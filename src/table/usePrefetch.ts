import { hashKey, useQueryClient, type FetchQueryOptions, type QueryKey } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

/** Reads `next` into the cache once it is known, so that turning to it is instant; null when there is nothing next. */
export function usePrefetch<Data, Key extends QueryKey>(next: FetchQueryOptions<Data, Error, Data, Key> | null): void {
  const client = useQueryClient();
  const key = next === null ? null : hashKey(next.queryKey);
  const read = useEffectEvent(async () => {
    // A failure here has no face on purpose: nobody asked yet, and who turns the page asks again.
    if (next !== null) await client.query({ ...next, retry: false }).catch(() => undefined);
  });
  useEffect(() => {
    if (key !== null) void read();
  }, [key]);
}
