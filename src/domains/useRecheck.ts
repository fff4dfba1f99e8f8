import { useQueryClient } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { announce } from '../ui/announce.ts';
import { liveCheckQuery } from './liveCheck.ts';
import { createMatrixRow, formatDnsState } from './matrix.ts';

/** Returns a function that checks one domain again and announces the result or the error. It never rejects. */
export function useRecheck(): (domain: ReadableDomain) => Promise<void> {
  const client = useQueryClient();
  return async (domain) => {
    announce(`Checking ${domain.name}`);
    try {
      const check = await client.query({ ...liveCheckQuery(domain.uuid), staleTime: 0 });
      announce(`${domain.name}: ${formatDnsState(createMatrixRow(check.completion?.domain ?? domain, check))}`);
    } catch (error) {
      // The error is also in the cache, and is shown in the row.
      announce(`${domain.name}: ${(error as Error).message}`);
    }
  };
}
