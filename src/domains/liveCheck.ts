import { experimental_streamedQuery as streamedQuery, queryOptions, type QueryClient } from '@tanstack/react-query';
import { checkDomain } from '#contract/additions.ts';
import type { Finding, ReadableCheckLine, Result } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
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

/** What is known of a record; `isEarlier` when the check that runs has not come to it. */
export type Known = { finding: Finding; isEarlier: boolean };

/**
 * The newest word on each of `records`, in their order. A record is told by what it says: an import may change its place
 * while it is asked about. Of one that is listed twice, each has its own.
 */
export function findingsOn(
  records: readonly ReadableDnsRecord[] | null,
  check: LiveCheck = NOTHING,
): (Known | undefined)[] {
  const [found, earlier] = [linesByRecord(check.found), linesByRecord(check.earlier)];
  return (records ?? []).map((record, index) => {
    const about = (lines: typeof found) => {
      const same = lines.get(keyOf(record));
      return same?.find((line) => line.index === index) ?? same?.[0];
    };
    const now = about(found);
    const known = now ?? about(earlier);
    return known && { finding: known.finding, isEarlier: now === undefined };
  });
}

const keyOf = ({ type, name, value }: ReadableDnsRecord) => JSON.stringify([type, name, value]);

const linesByRecord = (lines: readonly Found[]) =>
  Map.groupBy(
    lines.filter((line) => line.kind === 'record'),
    ({ record }) => keyOf(record),
  );

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
