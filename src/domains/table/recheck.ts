import type { QueryClient } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { announce } from '../../ui/page/announce.ts';
import { describeCheck, liveCheckQuery } from '../check/liveCheck.ts';

/** Checks one domain; its row shows the findings as they come, and an error. */
export async function recheck(client: QueryClient, domain: ReadableDomain): Promise<void> {
  announce(`Checking ${domain.name}`);
  try {
    const check = await client.query({ ...liveCheckQuery(domain.uuid), staleTime: 0 });
    announce(`${domain.name}: ${describeCheck(check.completion?.domain ?? domain, check)}`);
  } catch (error) {
    announce(`${domain.name}: ${(error as Error).message}`);
  }
}
