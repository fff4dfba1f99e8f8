import {
  infiniteQueryOptions,
  queryOptions,
  useQuery,
  useQueryClient,
  type QueryFunctionContext,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { getContactActivity } from '#contract/activity.ts';
import { listContactChanges } from '#contract/change.ts';
import { listContactEvents } from '#contract/interface.ts';
import { PER_PAGE_MAX } from '#contract/list.ts';
import { listQuery } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { isRevalidatable, requestAgain } from '../../api/requestAgain.ts';
import { toListQuery, type ListState } from '../../table/useList.ts';
import { readSubscriptionChanges, type SubscriptionChange } from '../../identity/findLastSubscriptionChange.ts';
import { announce } from '../../ui/page/announce.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { useUserActive } from '../../ui/page/useUserActive.ts';

export const eventsQuery = (contact: string, state: ListState) => {
  const input = { contact, query: toListQuery(state) };
  const query = listQuery(listContactEvents, input);
  return {
    ...query,
    queryFn: ({ client, signal }: QueryFunctionContext) =>
      requestAgain(listContactEvents, input, client.getQueryData(query.queryKey), signal),
    // Responses are recognised by identity.
    structuralSharing: false,
  };
};

/** Milliseconds. */
const POLL_INTERVAL = 4000;

/** Polls the page with the newest events while the user is active, if the service can answer 304. */
function usePollInterval({ page, sort }: ListState) {
  const isActive = useUserActive();
  const showsNewest = page === 1 && sort.id === 'created_at' && sort.desc;
  return ({ state }: { state: { data?: object | undefined } }) =>
    isActive && showsNewest && isRevalidatable(state.data) && POLL_INTERVAL;
}

/** Refreshes the chart and the other pages when a list gets new events, and announces them. */
export function useNewEvents(contact: string, list: string, total: number | undefined): void {
  const client = useQueryClient();
  const last = useRef({ list, total });
  useEffect(() => {
    const { list: lastList, total: lastTotal } = last.current;
    last.current = { list, total };
    if (list !== lastList || total === undefined || lastTotal === undefined || total <= lastTotal) return;
    announce(total - lastTotal === 1 ? '1 new event' : `${formatCount(total - lastTotal)} new events`);
    void client.invalidateQueries({ queryKey: [getContactActivity.id] });
    void client.invalidateQueries({
      queryKey: [listContactEvents.id],
      predicate: ({ queryKey: [, input] }) => isLaterPage(input, contact),
    });
  }, [client, contact, list, total]);
}

function isLaterPage(input: unknown, contact: string): boolean {
  const { contact: of, query } = input as { contact: string; query?: { page?: number } };
  return of === contact && (query?.page ?? 1) > 1;
}

/**
 * A page of events. The name of the page parameter is "not shown" (docs/interface.md, 4.3): if a service ignores ours, one growing
 * page is read instead (`isUnpaged`), so that no row shows twice.
 */
export function useEvents(contact: string, state: ListState) {
  const client = useQueryClient();
  const [isUnpaged, setUnpaged] = useState(false);
  const refetchInterval = usePollInterval(state);
  const paged = useQuery({ ...eventsQuery(contact, state), refetchInterval, enabled: !isUnpaged });
  const before = client.getQueryData(eventsQuery(contact, { ...state, page: state.page - 1 }).queryKey);
  const first = paged.data?.data[0]?.uuid;
  const isIgnored =
    state.page > 1 &&
    paged.data !== undefined &&
    !paged.isPlaceholderData &&
    (paged.data.meta.current_page !== state.page || (first !== undefined && first === before?.data[0]?.uuid));
  if (isIgnored && !isUnpaged) setUnpaged(true);
  const grownSize = state.page * state.perPage;
  const grown = useQuery({
    ...eventsQuery(contact, { ...state, page: 1, perPage: grownSize }),
    enabled: isUnpaged,
    placeholderData: (shown) => shown ?? before ?? paged.data,
  });
  return isUnpaged
    ? { query: grown, isUnpaged, rowsRequested: grownSize }
    : { query: paged, isUnpaged, rowsRequested: state.perPage };
}

export const changesQuery = (contact: string, page: number, perPage: number) =>
  listQuery(listContactChanges, { contact, query: { page, per_page: perPage } });

/** A service may always claim one more page. */
const CHANGE_PAGES_MAX = 50;

/** All changes, newest first, page by page. */
export const allChangesQuery = (contact: string) =>
  infiniteQueryOptions({
    queryKey: [listContactChanges.id, 'story', contact],
    queryFn: ({ pageParam, signal }) =>
      request(listContactChanges, { contact, query: { page: pageParam, per_page: PER_PAGE_MAX } }, signal),
    initialPageParam: 1,
    getNextPageParam: ({ meta, data }, pages) =>
      meta.has_next && data.length > 0 && pages.length < CHANGE_PAGES_MAX ? pages.length + 1 : null,
  });

/** Null if the log has none, as for a contact imported as unsubscribed. */
export const lastSubscriptionQuery = (contact: string) =>
  queryOptions({
    queryKey: [listContactChanges.id, 'last of the subscription', contact],
    queryFn: async ({ signal }): Promise<SubscriptionChange | null> => {
      const [last] = await readSubscriptionChanges((query) => request(listContactChanges, { contact, query }, signal));
      return last ?? null;
    },
  });

/** `isRepeat`: the response to an earlier request was lost. */
export type AnsweredUnsubscribe = { requestId: string | null; isRepeat: boolean };

/** The response to an unsubscribe in this session: the only proof on a bare interface. Never fetched. */
export const answeredUnsubscribeQuery = (contact: string) =>
  queryOptions({
    queryKey: ['answered unsubscribe', contact],
    queryFn: (): AnsweredUnsubscribe | null => null,
    initialData: null as AnsweredUnsubscribe | null,
    staleTime: Infinity,
    gcTime: Infinity,
  });
