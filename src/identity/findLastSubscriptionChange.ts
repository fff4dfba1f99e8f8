import type { ReadableChange } from '#contract/change.ts';
import { PER_PAGE_MAX, type ListQuery, type Page } from '#contract/list.ts';

/** A service that always has one more page would never end. */
const PAGES_MAX = 50;

/** Whether `change` unsubscribed the contact. */
export function isUnsubscribe(change: ReadableChange | null | undefined): change is ReadableChange {
  return Boolean(change?.changes?.some(({ field, after }) => field === 'subscribed' && after === false));
}

/** Whether `change` is an unsubscribe by a request of ours: by the ID of its response, which a proxy may have removed, or by its run. */
export const isOwnUnsubscribe = (
  change: ReadableChange | null | undefined,
  { requestId, run }: { requestId: string | null; run?: string | undefined },
): boolean =>
  isUnsubscribe(change) &&
  ((requestId !== null && change.request_id === requestId) || (run !== undefined && change.run === run));

/** The latest changes of the subscription, the newest first: those of the first page that has any. Empty where the log has none. */
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
