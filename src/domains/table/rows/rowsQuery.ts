import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { getDomainSummary } from '#contract/additions.ts';
import { listDomainReports, type ReadableDomainReport } from '#contract/domains/domainReport.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { listDomains } from '#contract/interface.ts';
import type { ListQuery, Page } from '#contract/list.ts';
import { apiQuery } from '../../../api/apiQuery.ts';
import { request } from '../../../api/client.ts';
import { toListQuery, type ListState } from '../../../table/useList.ts';
import { changedSince } from '../filters/changed.ts';
import { rowOfDomain, rowOfReport, type DomainRow } from './domainRow.ts';

type Moment = { isUtc: boolean; visit: string | null };

/** A page of the table, from reports if the service has them. */
export const domainRowsQuery = (state: ListState, hasReports: boolean, moment: Moment) => {
  const query = hasReports ? toReportsQuery(state, moment) : toDomainsQuery(state);
  return queryOptions({
    queryKey: [hasReports ? listDomainReports.id : listDomains.id, { query }] as const,
    queryFn: ({ signal }): Promise<Page<ReadableDomain | ReadableDomainReport>> =>
      hasReports ? request(listDomainReports, { query }, signal) : request(listDomains, { query }, signal),
    placeholderData: keepPreviousData<Page<ReadableDomain | ReadableDomainReport>>,
    select: toRows,
  });
};

const toRows = ({ data, meta }: Page<ReadableDomain | ReadableDomainReport>): Page<DomainRow> => ({
  data: data.map((one) => ('verdicts' in one ? rowOfReport(one) : rowOfDomain(one))),
  meta,
});

/** `changed` in the URL becomes a time. */
export function toReportsQuery(state: ListState, moment: Moment): ListQuery {
  const { changed, ...filters } = state.filters;
  const since = changed === undefined ? null : changedSince(String(changed), { now: new Date(), ...moment });
  return toListQuery({ ...state, filters: since === null ? filters : { ...filters, changed_since: since } });
}

export const domainSummaryQuery = apiQuery(getDomainSummary, {});

/**
 * The default order isn't sent: it's that of every service (docs/interface.md, 4.4), and some may reject all sorting. None of these
 * can sort by urgency.
 */
export function toDomainsQuery(state: ListState): ListQuery {
  const isDefault = ['created_at', 'urgency'].includes(state.sort.id) && state.sort.desc;
  return isDefault ? { ...toListQuery(state), sorting: [] } : toListQuery(state);
}
