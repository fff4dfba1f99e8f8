import { queryOptions } from '@tanstack/react-query';
import { listDomainReports, type ReadableDomainReport } from '#contract/domains/domainReport.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { listDomains } from '#contract/interface.ts';
import { PER_PAGE_MAX } from '#contract/list.ts';
import { request } from '../../api/client.ts';
import type { ListState } from '../../table/useList.ts';
import { toDomainsQuery, toReportsQuery } from '../table/rows/rowsQuery.ts';
import { rowOfDomain, rowOfReport, worstFirst, type DomainRow } from '../table/rows/domainRow.ts';

export type WallMoment = Parameters<typeof toReportsQuery>[1];

/** A wall has at most this many tiles. */
const TILES_MAX = 1000;
/** Pages read at most: a service may send shorter ones than asked for. */
const PAGES_MAX = 50;
/** Milliseconds. */
const REFRESH = 60_000;

export type WallDomains = { rows: DomainRow[]; total: number };

/** The domains that match the filters of the table, from all pages. */
export const wallQuery = (state: ListState, hasReports: boolean, moment: WallMoment) => {
  const all = { ...state, sort: { id: 'urgency', desc: true } };
  const query = hasReports ? toReportsQuery(all, moment) : toDomainsQuery(all);
  const { page: _, ...filters } = query;
  const read = (page: number, signal: AbortSignal) => {
    const input = { query: { ...filters, page, per_page: PER_PAGE_MAX } };
    return hasReports ? request(listDomainReports, input, signal) : request(listDomains, input, signal);
  };
  return queryOptions({
    queryKey: ['wall', hasReports, filters],
    queryFn: async ({ signal }): Promise<WallDomains> => readAll((page) => read(page, signal)),
    refetchInterval: REFRESH,
    staleTime: 0,
  });
};

type ReadPage = (page: number) => Promise<{
  data: (ReadableDomain | ReadableDomainReport)[];
  meta: { total: number; has_next: boolean; current_page: number };
}>;

async function readAll(read: ReadPage): Promise<WallDomains> {
  const rows = new Map<string, DomainRow>();
  let total = 0;
  for (let page = 1; page <= PAGES_MAX && rows.size < TILES_MAX; page++) {
    const { data, meta } = await read(page);
    total = meta.total;
    for (const one of data) {
      const row = 'verdicts' in one ? rowOfReport(one) : rowOfDomain(one);
      rows.set(row.uuid, row);
    }
    // A service may have no pages.
    if (!meta.has_next || meta.current_page !== page) break;
  }
  return { rows: worstFirst([...rows.values()].slice(0, TILES_MAX)), total };
}
