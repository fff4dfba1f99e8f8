import { experimental_streamedQuery as streamedQuery, queryOptions } from '@tanstack/react-query';
import { checkDomain } from '#contract/additions.ts';
import type { ReadableCheckLine, Result } from '#contract/dnsCheck.ts';
import { requestLines } from '../api/client.ts';
import type { Tone } from '../ui/StatusBadge.tsx';

/** What the DNS said about a domain, line by line as it comes in; asked for only when somebody wants it. */
export const liveCheckQuery = (domain: string) =>
  queryOptions({
    queryKey: [checkDomain.id, { domain }] as const,
    queryFn: streamedQuery<ReadableCheckLine>({
      streamFn: ({ signal }) => requestLines(checkDomain, { domain }, signal),
      // The earlier findings stay until the new ones are all there.
      refetchMode: 'replace',
    }),
    enabled: false,
    staleTime: Infinity,
  });

type Words = { tone: Tone; word: string };

/** How a result is shown, everywhere. */
export const RESULTS: Record<Result, Words> = {
  ok: { tone: 'good', word: 'Right' },
  warn: { tone: 'warn', word: 'Right, with advice' },
  fail: { tone: 'bad', word: 'Wrong' },
  pending: { tone: 'wait', word: 'Spreading' },
  unknown: { tone: 'neutral', word: 'Unknown' },
};
