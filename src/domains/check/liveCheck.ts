import { experimental_streamedQuery as streamedQuery, queryOptions, type QueryClient } from '@tanstack/react-query';
import { getDomainSummary } from '#contract/additions.ts';
import { checkDomain } from '#contract/dnsCheck.ts';
import type { Finding, ReadableCheckLine, CheckResult, ResponsibleParty } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { listDomains } from '#contract/interface.ts';
import { ApiError } from '../../api/ApiError.ts';
import { requestLines } from '../../api/client.ts';
import { readAgain } from '../../api/apiQuery.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';

type CompletionLine = Extract<ReadableCheckLine, { kind: 'end' }>;
type FindingLine = Exclude<ReadableCheckLine, CompletionLine>;

/**
 * The latest check of a domain. `earlierLines` are those of the checks before, until the latest has ended. `completion`
 * is null until then.
 */
export type LiveCheck = {
  lines: readonly FindingLine[];
  earlierLines: readonly FindingLine[];
  completion: CompletionLine | null;
};

const NOTHING: LiveCheck = { lines: [], earlierLines: [], completion: null };

/**
 * The live check of a domain, updated with each line of the response. It is never fetched without an explicit `refetch`
 * or `query`.
 */
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

/** The latest finding about a record; `isEarlier` when the running check has not reached the record yet. */
export type LatestFinding = { finding: Finding; isEarlier: boolean };

/**
 * The latest finding about each of `records`, in their order. Records are matched by type, name and value, because an
 * import may change their places during a check. Of a record that is listed twice, the place decides.
 */
export function findLatestFindings(
  records: readonly ReadableDnsRecord[] | null,
  check: LiveCheck = NOTHING,
): (LatestFinding | undefined)[] {
  const [found, earlier] = [linesByRecord(check.lines), linesByRecord(check.earlierLines)];
  return (records ?? []).map((record, index) => {
    const findLine = (lines: typeof found) => {
      const same = lines.get(keyOf(record));
      return same?.find((line) => line.index === index) ?? same?.[0];
    };
    const current = findLine(found);
    const latest = current ?? findLine(earlier);
    return latest && { finding: latest.finding, isEarlier: current === undefined };
  });
}

const keyOf = ({ type, name, value }: ReadableDnsRecord) => JSON.stringify([type, name, value]);

const linesByRecord = (lines: readonly FindingLine[]) =>
  Map.groupBy(
    lines.filter((line) => line.kind === 'record'),
    ({ record }) => keyOf(record),
  );

/**
 * Whether a record needs no change and no waiting. A record whose type the check cannot query (`dig` is empty) counts
 * as settled.
 */
export function isSettled({ result, dig }: Finding): boolean {
  return result === 'ok' || result === 'warn' || (result === 'unknown' && dig === '');
}

type ResultLabel = { tone: Tone; label: string };

/** Tone and label of each result, on all pages. */
export const RESULT_LABELS: Record<CheckResult, ResultLabel> = {
  ok: { tone: 'good', label: 'Correct' },
  warn: { tone: 'warn', label: 'Correct, with advice' },
  fail: { tone: 'bad', label: 'Needs fixing' },
  pending: { tone: 'wait', label: 'Propagating' },
  unknown: { tone: 'neutral', label: 'Unknown' },
};

/** "3 correct", "1 needs fixing", "2 need fixing", "1 propagating". */
export function countResult(result: CheckResult, count: number): string {
  const words = result === 'fail' && count !== 1 ? 'need fixing' : RESULT_LABELS[result].label.toLowerCase();
  return `${count} ${words}`;
}

/** Replaces the domain wherever it is in the cache. The lists are fetched again when they are shown next. */
function cacheDomain(client: QueryClient, domain: ReadableDomain): void {
  client.setQueriesData<ReadableDomain | null>({ queryKey: ['domain'] }, (cached) =>
    cached?.uuid === domain.uuid ? domain : cached,
  );
  for (const { queryKey, state } of client.getQueryCache().findAll({ queryKey: [listDomains.id] })) {
    client.setQueryData<EndpointReading<typeof listDomains>>(
      queryKey,
      (page) => page && { ...page, data: page.data.map((row) => (row.uuid === domain.uuid ? domain : row)) },
      // Only this row is new.
      { updatedAt: state.dataUpdatedAt },
    );
  }
  void client.invalidateQueries({ queryKey: [listDomains.id], refetchType: 'none' });
  // The counts stand above the rows that have just changed.
  void readAgain(client, getDomainSummary);
}

/** Who has to act next. The reader is the person who can change the DNS. */
export const RESPONSIBLE_PARTY_LABELS: Record<ResponsibleParty, string> = {
  owner: 'Your turn: DNS records',
  provider: 'For the mail provider',
  dns_host: 'For your DNS host',
  registrar: 'At the registrar',
  report_receiver: 'For whoever receives the reports',
  checker: 'Check again later, or check your network',
};
