import { queryOptions } from '@tanstack/react-query';
import { getDomainHistory, type Span } from '#contract/domains/domainHistory.ts';
import { PER_PAGE_MAX } from '#contract/list.ts';
import { request } from '../../api/client.ts';
import { DAYS } from './strips.ts';

/** Pages read at most: 1,000 spans are more than a picture shows. */
const PAGES_MAX = 10;
const DAY = 86_400_000;

/** What was found in the last days; `isWhole`: false if there is more than is read. */
type History = { spans: Span[]; isWhole: boolean };

export const historyQuery = (domain: string) =>
  queryOptions({
    queryKey: [getDomainHistory.id, { domain, days: DAYS }] as const,
    queryFn: ({ signal }) => readSpans(domain, { from: new Date(Date.now() - DAYS * DAY).toISOString() }, signal),
  });

/** What was found at a time. */
export const momentQuery = (domain: string, at: string) =>
  queryOptions({
    queryKey: [getDomainHistory.id, { domain, at }] as const,
    queryFn: ({ signal }) => readSpans(domain, { from: at, to: new Date(Date.parse(at) + 1).toISOString() }, signal),
  });

async function readSpans(
  domain: string,
  filters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<History> {
  const spans: Span[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = { page, per_page: PER_PAGE_MAX, filters };
    const { data, meta } = await request(getDomainHistory, { domain, query }, signal);
    spans.push(...data);
    if (!meta.has_next) return { spans, isWhole: true };
  }
  return { spans, isWhole: false };
}
