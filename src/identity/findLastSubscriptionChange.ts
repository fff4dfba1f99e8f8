import type { ReadableChange } from '#contract/change.ts';
import { PER_PAGE_MAX, type ListQuery, type Page } from '#contract/list.ts';

/** A service may always claim one more page. */
const PAGES_MAX = 50;

export function isUnsubscribe(change: ReadableChange | null | undefined): change is ReadableChange {
  return Boolean(change?.changes?.some(({ field, after }) => field === 'subscribed' && after === false));
}

/** By the request ID, which a proxy may have removed, or by the run. */
export const isOwnUnsubscribe = (
  change: ReadableChange | null | undefined,
  { requestId, run }: { requestId: string | null; run?: string | undefined },
): boolean =>
  isUnsubscribe(change) &&
  ((requestId !== null && change.request_id === requestId) || (run !== undefined && change.run === run));

/** The latest changes of the subscription, newest first: those of the first page with any. */
export async function readSubscriptionChanges(
  readPage: (query: ListQuery) => Promise<Pick<Page<ReadableChange>, 'data' | 'meta'>>,
): Promise<ReadableChange[]> {
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { data, meta } = await readPage({ page, per_page: PER_PAGE_MAX });
    const found = data.filter(({ changes }) => changes?.some(({ field }) => field === 'subscribed'));
    if (found.length > 0) return found;
    if (!meta.has_next || data.length === 0) return [];
  }
  return [];
}
