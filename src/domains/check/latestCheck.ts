import { useQuery } from '@tanstack/react-query';
import { getDomainReport } from '#contract/domains/domainHistory.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import { apiQuery } from '../../api/apiQuery.ts';
import { useCapability } from '../../session/useSession.ts';
import { liveCheckQuery, type LiveCheck } from './liveCheck.ts';

/** What the last check of a domain found, as it's stored for everybody. */
const domainReportQuery = (domain: string) => apiQuery(getDomainReport, { domain });

export type ReadReport = EndpointReading<typeof getDomainReport>['data'];
export type ReadVerdict = ReadReport['verdicts'][number];

/** A stored report as the check that it's from; null if the domain was never checked. */
export function checkOfReport({ domain, checked_at, verdicts }: ReadReport): LiveCheck | null {
  if (checked_at === null) return null;
  const lines = verdicts.flatMap(({ kind, subject, index, finding }): LiveCheck['lines'] => {
    if (kind === 'advice') return [{ kind, about: subject, finding }];
    const record = index === null ? undefined : domain.dns?.[index];
    return kind !== 'record' || index === null || record === undefined ? [] : [{ kind, index, record, finding }];
  });
  return { lines, earlierLines: [], completion: { kind: 'end', checked_at, again_in: 0, domain } };
}

/** What is known now: a check of this tab, unless a later one is stored. A running check keeps stored findings until its own. */
export function mergeChecks(live: LiveCheck | undefined, stored: LiveCheck | null): LiveCheck | undefined {
  if (live === undefined || stored === null) return live ?? stored ?? undefined;
  if (live.completion === null) return { ...live, earlierLines: [...live.earlierLines, ...stored.lines] };
  return (stored.completion?.checked_at ?? '') > live.completion.checked_at ? stored : live;
}

/** The latest check of a domain, by anybody. `report` is undefined while it loads, or if the service stores none. */
export function useLatestCheck(domain: Pick<ReadableDomain, 'uuid'>) {
  const hasReports = useCapability(getDomainReport);
  const report = useQuery({ ...domainReportQuery(domain.uuid), enabled: hasReports });
  const { data: live, isFetching } = useQuery(liveCheckQuery(domain.uuid));
  const stored = report.data === undefined ? null : checkOfReport(report.data.data);
  return {
    check: mergeChecks(live, stored),
    report: report.data?.data,
    /** Reading the report failed. */
    error: report.error,
    retry: () => void report.refetch(),
    isLoading: hasReports && report.isPending,
    isFetching,
  };
}
