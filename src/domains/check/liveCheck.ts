import { experimental_streamedQuery as streamedQuery, queryOptions, type QueryClient } from '@tanstack/react-query';
import { getDomainSummary } from '#contract/additions.ts';
import { getDomainHistory, getDomainReport } from '#contract/domains/domainHistory.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import type { Finding, ReadableCheckLine } from '#contract/domains/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { listDomains } from '#contract/interface.ts';
import { describeDisagreement, works } from '#contract/domains/recordStatus.ts';
import { ApiError } from '../../api/ApiError.ts';
import { requestLines } from '../../api/client.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { parseTime } from '../../ui/format/time.ts';
import { countStatuses } from '../records/recordStatus.ts';

type CompletionLine = Extract<ReadableCheckLine, { kind: 'end' }>;
type FindingLine = Exclude<ReadableCheckLine, { kind: 'end' | 'watch' }>;

/** The latest check of a domain. Until it has ended, `completion` is null and `earlierLines` has earlier checks. */
export type LiveCheck = {
  lines: readonly FindingLine[];
  earlierLines: readonly FindingLine[];
  completion: CompletionLine | null;
};

const NOTHING: LiveCheck = { lines: [], earlierLines: [], completion: null };

/** The live check of a domain, updated with each line of the response. Only `refetch` or `query` fetches it. */
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
    } else if (line.kind !== 'watch') {
      check = { ...check, lines: [...check.lines, line] };
    }
    yield check;
  }
  if (check.completion === null) throw new ApiError('network', 'The check was interrupted.');
}

/** The latest finding about a record; `isEarlier` if the running check hasn't reached the record yet. */
export type LatestFinding = { finding: Finding; isEarlier: boolean };

/** Matched by type, name and value, because an import may move records during a check; the index decides between duplicates. */
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

/** Whether a record needs no change and no waiting. A type that the check can't query (`dig` is empty) counts as settled. */
const isSettled = ({ result, dig }: Finding) => works(result) || (result === 'unknown' && dig === '');

export function isDone(dns: ReadableDomain['dns'], check: LiveCheck): boolean {
  return findLatestFindings(dns, check).every((latest) => latest !== undefined && isSettled(latest.finding));
}

export function describeFinding(stored: boolean | null, { result, diagnosis }: Finding): string[] {
  return [describeDisagreement(stored, result), diagnosis].filter((sentence) => sentence !== null);
}

/** "3 OK, 1 pending, 1 failed.", and whether the domain only waits for the service. */
export function describeCheck({ dns, verification }: ReadableDomain, check: LiveCheck): string {
  const latest = findLatestFindings(dns, check);
  if (latest.length === 0) return 'No records to check.';
  const findings = latest.flatMap((one) => one?.finding ?? []);
  const others = latest.length - findings.length;
  const counts = [countStatuses(findings.map(({ result }) => result)), others > 0 && `${others} not checked`];
  const waits = isDone(dns, check) && verification === 'pending';
  return `${counts.filter(Boolean).join(', ')}.${waits ? ' The DNS is OK; waiting for the service to verify the domain.' : ''}`;
}

export function lastUntil({ dns }: ReadableDomain, check: LiveCheck | undefined): Date | null {
  const times = findLatestFindings(dns, check).flatMap((latest) => parseTime(latest?.finding.until ?? null) ?? []);
  return times.toSorted((one, other) => one.getTime() - other.getTime()).at(-1) ?? null;
}

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
  // Not read at once: the rows of a table keep their places.
  for (const { id } of [listDomains, listDomainReports])
    void client.invalidateQueries({ queryKey: [id], refetchType: 'none' });
  for (const operation of [getDomainSummary, getDomainReport, getDomainHistory]) void readAgain(client, operation);
}
