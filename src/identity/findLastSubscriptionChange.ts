import type { ReadableChange } from '#contract/change.ts';
import { PER_PAGE_MAX, type ListQuery, type Page } from '#contract/list.ts';

/** A service may always claim one more page. */
const PAGES_MAX = 50;

/** With the last stronger reason that was recorded since, if there is one. */
export type SubscriptionChange = ReadableChange & { stronger?: ReadableChange };

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
  let stronger: ReadableChange | undefined;
  for (let page = 1; page <= PAGES_MAX; page++) {
    const { data, meta } = await readPage({ page, per_page: PER_PAGE_MAX });
    const found = data.filter(
      (change) => change.changes?.some(({ field }) => field === 'subscribed') === true || isUnsubscribe(change),
    );
    const last = found.at(0);
    stronger ??= data.slice(0, last && data.indexOf(last)).find(isRecordedReason);
    if (last !== undefined) return [{ ...last, ...(stronger && { stronger }) }, ...found.slice(1)];
    if (!meta.has_next || data.length === 0) return [];
  }
  return [];
}

/** A stronger reason of somebody who was unsubscribed already, such as a complaint. */
export const isRecordedReason = ({ action, suppression, changes }: ReadableChange): boolean =>
  action === 'unsubscribe' && suppression !== null && changes?.length === 0;

/** Why the contact is unsubscribed: the strongest of what was said. */
export const reasonOf = ({ suppression, stronger }: SubscriptionChange): string | null =>
  (stronger?.suppression ?? suppression)?.reason ?? null;
