import type { ReadableChange } from '#contract/change.ts';
import { PER_PAGE_MAX, type ListQuery, type Page } from '#contract/list.ts';

/** A service may always claim one more page. */
const PAGES_MAX = 50;

/** With the complaint about mail to somebody who was unsubscribed already, if there was one. */
export type SubscriptionChange = ReadableChange & { complaint?: ReadableChange };

/** Also one that added the contact unsubscribed. */
export function isUnsubscribe(change: SubscriptionChange | null | undefined): change is SubscriptionChange {
  const isChanged = change?.changes?.some(({ field, after }) => field === 'subscribed' && after === false);
  return isChanged === true || (change?.action === 'create' && change.suppression !== null);
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
): Promise<SubscriptionChange[]> {
  let complaint: ReadableChange | undefined;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { data, meta } = await readPage({ page, per_page: PER_PAGE_MAX });
    const found = data.filter(
      (change) => change.changes?.some(({ field }) => field === 'subscribed') === true || isUnsubscribe(change),
    );
    const last = found.at(0);
    complaint ??= data.slice(0, last && data.indexOf(last)).find(isLateComplaint);
    if (last !== undefined) return [{ ...last, ...(complaint && { complaint }) }, ...found.slice(1)];
    if (!meta.has_next || data.length === 0) return [];
  }
  return [];
}

/** A complaint about mail to somebody who was unsubscribed already. */
export const isLateComplaint = ({ action, suppression, changes }: ReadableChange) =>
  action === 'unsubscribe' && suppression?.reason === 'complaint' && changes?.length === 0;
