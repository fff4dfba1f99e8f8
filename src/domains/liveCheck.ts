import { experimental_streamedQuery as streamedQuery, queryOptions, type QueryClient } from '@tanstack/react-query';
import { checkDomain } from '#contract/additions.ts';
import type { Finding, ReadableCheckLine, Result } from '#contract/dnsCheck.ts';
import { ApiError } from '../api/ApiError.ts';
import { requestLines } from '../api/client.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { keepDomain } from './queries.ts';

type End = Extract<ReadableCheckLine, { kind: 'end' }>;
type Found = Exclude<ReadableCheckLine, End>;

/** What is known of a domain's DNS: by the check that runs or ran last, and, until that has come to its end, by the one before. */
export type LiveCheck = { found: readonly Found[]; earlier: readonly Found[]; end: End | null };

const NOTHING: LiveCheck = { found: [], earlier: [], end: null };

/** What the DNS said about a domain, as it comes in; asked for only when somebody wants it. */
export const liveCheckQuery = (domain: string) =>
  queryOptions({
    queryKey: [checkDomain.id, { domain }] as const,
    queryFn: streamedQuery<LiveCheck, LiveCheck>({
      streamFn: ({ client, queryKey, signal }) => follow(domain, client, client.getQueryData(queryKey), signal),
      refetchMode: 'append',
      reducer: (_, check) => check,
      initialValue: NOTHING,
    }),
    enabled: false,
    staleTime: Infinity,
  });

async function* follow(
  domain: string,
  client: QueryClient,
  before: LiveCheck | undefined,
  signal: AbortSignal,
): AsyncGenerator<LiveCheck, void, void> {
  let check: LiveCheck = { ...NOTHING, earlier: before === undefined ? [] : [...before.found, ...before.earlier] };
  yield check;
  for await (const line of requestLines(checkDomain, { domain }, signal)) {
    if (line.kind === 'end') {
      keepDomain(client, line.domain);
      check = { found: check.found, earlier: [], end: line };
    } else {
      check = { ...check, found: [...check.found, line] };
    }
    yield check;
  }
  if (check.end === null) throw new ApiError('network', 'The check broke off before its end.');
}

/** The newest word on the record at this place in `Domain.dns`; `isEarlier` when the check that runs has not come to it. */
export function findingAt(
  { found, earlier }: LiveCheck,
  index: number,
): { finding: Finding; isEarlier: boolean } | undefined {
  const isIt = (one: Found) => one.kind === 'record' && one.index === index;
  const now = found.find(isIt);
  const known = now ?? earlier.find(isIt);
  return known && { finding: known.finding, isEarlier: now === undefined };
}

/** Whether nothing about a record has to change or to be waited for. What nobody can ask about stands in nobody's way. */
export function isSettled({ result, dig }: Finding): boolean {
  return result === 'ok' || result === 'warn' || (result === 'unknown' && dig === '');
}

type Words = { tone: Tone; word: string };

/** How a result is shown, everywhere. */
export const RESULTS: Record<Result, Words> = {
  ok: { tone: 'good', word: 'Right' },
  warn: { tone: 'warn', word: 'Right, with advice' },
  fail: { tone: 'bad', word: 'Wrong' },
  pending: { tone: 'wait', word: 'Spreading' },
  unknown: { tone: 'neutral', word: 'Unknown' },
};
