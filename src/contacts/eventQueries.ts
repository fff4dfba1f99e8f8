import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listContactEvents } from '#contract/interface.ts';
import { listQuery } from '../api/apiQuery.ts';
import { toListQuery, type ListState } from '../table/listState.ts';

export const eventsQuery = (contact: string, state: ListState) =>
  listQuery(listContactEvents, { contact, query: toListQuery(state) });

/**
 * A page of events. The name of the page parameter is "not shown" (docs/interface.md, 4.3): where a service ignores
 * ours, `isUnpaged` is true and one growing page is read instead, so that no row shows twice. `rowsRequested` is the
 * `per_page` that was sent.
 */
export function useEvents(contact: string, state: ListState) {
  const client = useQueryClient();
  const [isUnpaged, setUnpaged] = useState(false);
  const paged = useQuery({ ...eventsQuery(contact, state), enabled: !isUnpaged });
  const before = client.getQueryData(eventsQuery(contact, { ...state, page: state.page - 1 }).queryKey);
  const first = paged.data?.data[0]?.uuid;
  const isIgnored =
    state.page > 1 &&
    paged.data !== undefined &&
    !paged.isPlaceholderData &&
    (paged.data.meta.current_page !== state.page || (first !== undefined && first === before?.data[0]?.uuid));
  // It ignores every page, so no further page is requested.
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
