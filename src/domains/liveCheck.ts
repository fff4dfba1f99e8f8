import { experimental_streamedQuery as streamedQuery, queryOptions, type QueryClient } from '@tanstack/react-query';
import { checkDomain } from '#contract/additions.ts';
import type { Finding, ReadableCheckLine, CheckResult } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { ApiError } from '../api/ApiError.ts';
import { requestLines } from '../api/client.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { cacheDomain } from './queries.ts';

type CompletionLine = Extract<ReadableCheckLine, { kind: 'end' }>;
type FindingLine = Exclude<ReadableCheckLine, CompletionLine>;

/** What is known of a domain's DNS: by the check that runs or ran last, and, until that has come to its end, by the one before. */
export type LiveCheck = {
  lines: readonly FindingLine[];
  earlierLines: readonly FindingLine[];
  completion: CompletionLine | null;
};

const NOTHING: LiveCheck = { lines: [], earlierLines: [], completion: null };

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
  let check: LiveCheck = {
    ...NOTHING,
    earlierLines: before === undefined ? [] : [...before.lines, ...before.earlierLines],
  };
  yield check;
  for await (const line of requestLines(checkDomain, { domain }, signal)) {
    if (line.kind === 'end') {
      cacheDomain(client, line.domain);
      check = { lines: check.lines, earlierLines: [], completion: line };
    } else {
      check = { ...check, lines: [...check.lines, line] };
    }
    yield check;
  }
  if (check.completion === null) throw new ApiError('network', 'The check broke off before its end.');
}

/** What is known of a record; `isEarlier` when the check that runs has not come to it. */
export type LatestFinding = { finding: Finding; isEarlier: boolean };

/**
 * The newest word on each of `records`, in their order. A record is told by what it says: an import may change its place
 * while it is asked about. Of one that is listed twice, each has its own.
 */
export function findLatestFindings(
  records: readonly ReadableDnsRecord[] | null,
  check: LiveCheck = NOTHING,
): (LatestFinding | undefined)[] {
  const [found, earlier] = [linesByRecord(check.lines), linesByRecord(check.earlierLines)];
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

const linesByRecord = (lines: readonly FindingLine[]) =>
  Map.groupBy(
    lines.filter((line) => line.kind === 'record'),
    ({ record }) => keyOf(record),
  );

/** Whether nothing about a record has to change or to be waited for. What nobody can ask about stands in nobody's way. */
export function isSettled({ result, dig }: Finding): boolean {
  return result === 'ok' || result === 'warn' || (result === 'unknown' && dig === '');
}

type ResultLabel = { tone: Tone; label: string };

/** How a result is shown, everywhere. */
export const RESULT_LABELS: Record<CheckResult, ResultLabel> = {
  ok: { tone: 'good', label: 'Right' },
  warn: { tone: 'warn', label: 'Right, with advice' },
  fail: { tone: 'bad', label: 'Wrong' },
  pending: { tone: 'wait', label: 'Spreading' },
  unknown: { tone: 'neutral', label: 'Unknown' },
};
