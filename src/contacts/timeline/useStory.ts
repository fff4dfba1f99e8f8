import { useInfiniteQuery, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listChanges } from '#contract/auditLog.ts';
import { listContactChanges, type ReadableChange } from '#contract/change.ts';
import type { ReadableEvent } from '#contract/event.ts';
import type { Page } from '#contract/list.ts';
import { useCapability } from '../../session/useSession.ts';
import type { ListState } from '../../table/useList.ts';
import { allChangesQuery, eventsQuery } from './historyQueries.ts';
import { receiptsQuery } from './receipts.ts';
import { type EventPage, mergeStory, needsOlder } from './story.ts';

type Events = { query: UseQueryResult<Page<ReadableEvent>>; isUnpaged: boolean };

/** A page of events with the changes of its time, if `withChanges`. Reads the next page too: it says where this one ends. */
export function useStory(contact: string, { query, isUnpaged }: Events, state: ListState, withChanges: boolean) {
  const { data, isPlaceholderData } = query;
  const next = useQuery({
    ...eventsQuery(contact, { ...state, page: state.page + 1 }),
    enabled: !isUnpaged && data?.meta.has_next === true && !isPlaceholderData,
    retry: false,
  });
  const page: EventPage | undefined = data && {
    events: data.data,
    newestFirst: state.sort.desc,
    isFirst: data.meta.current_page === 1,
    next: !data.meta.has_next ? null : isPlaceholderData || next.isPlaceholderData ? undefined : firstOf(next.data),
  };
  const changes = useChangesOf(contact, page, withChanges);
  const isPending = page === undefined || (withChanges && changes.query.isPending);
  const rows = isPending ? undefined : mergeStory(page, changes.loaded);
  const receipts = useReceipts(
    contact,
    (rows ?? []).flatMap(({ change }) => change ?? []),
  );
  return { rows, next, changes: changes.query, total: changes.total, isCut: changes.isCut, receipts };
}

const firstOf = (page: Page<ReadableEvent> | undefined) => page && (page.data[0] ?? null);

/** As many changes, newest first, as `page` needs. */
function useChangesOf(contact: string, page: EventPage | undefined, enabled: boolean) {
  const query = useInfiniteQuery({ ...allChangesQuery(contact), enabled });
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  // While pages are read, rows may move from one to the next.
  const loaded = [...new Map(data?.pages.flatMap((one) => one.data).map((change) => [change.uuid, change])).values()];
  const needsMore = enabled && page !== undefined && data !== undefined && needsOlder(page, loaded);
  const isWaiting = needsMore && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (isWaiting) void fetchNextPage();
  }, [isWaiting, fetchNextPage]);
  const last = data?.pages.at(-1);
  return {
    query,
    loaded: enabled ? loaded : [],
    total: data?.pages[0]?.meta.total,
    isCut: needsMore && !hasNextPage && last?.meta.has_next === true && last.data.length > 0,
  };
}

/** When changes of the subscription were told to other systems, if the service has a log. */
export function useReceipts(contact: string, changes: readonly ReadableChange[]) {
  const hasLog = useCapability(listChanges);
  const times = changes
    .filter((change) => change.changes?.some(({ field }) => field === 'subscribed'))
    .map(({ created_at }) => created_at ?? '')
    .toSorted();
  const from = times[0] ?? '';
  return useQuery({ ...receiptsQuery(contact, from), enabled: hasLog && from !== '' });
}

/** Every read of the changes: the subscription and its proofs read the same log, and show no error. */
export function useReadChangesAgain(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    void client.invalidateQueries({ queryKey: [listChanges.id] });
    await client.invalidateQueries({ queryKey: [listContactChanges.id] });
  };
}
