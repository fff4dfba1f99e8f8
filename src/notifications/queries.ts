import { keepPreviousData, type QueryFunctionContext } from '@tanstack/react-query';
import { listDeliveries, listDestinations, DELIVERY_STATES, type Delivery } from '#contract/notifications.ts';
import type { Page } from '#contract/list.ts';
import { listQuery } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import type { ListOptions, ListState } from '../table/useList.ts';

export const destinationsQuery = ({ page, perPage }: ListState) =>
  listQuery(listDestinations, { query: { page, per_page: perPage } });

/** A workspace has at most 50. */
export const allDestinationsQuery = listQuery(listDestinations, { query: { page: 1, per_page: 100 } });

export const DELIVERIES: ListOptions = {
  perPage: 25,
  sort: { id: '', desc: false },
  sortable: [],
  choices: { state: DELIVERY_STATES },
};

/** With the ID that a row of a table needs: a destination gets a message once. */
export type DeliveryLine = Delivery & { uuid: string };

/** Milliseconds. */
const POLL_INTERVAL = 3000;
const SOON = 60_000;

const isDueSoon = ({ next_at }: Delivery) => next_at !== null && Date.parse(next_at) - Date.now() < SOON;

/** Reads the page again while a delivery is due soon, if the user is active. */
export const deliveriesQuery =
  (destination: string, isActive: boolean) =>
  ({ page, perPage, filters }: ListState) => {
    const input = { destination, query: { page, per_page: perPage, filters } };
    return {
      queryKey: [listDeliveries.id, input] as const,
      queryFn: async ({ signal }: QueryFunctionContext): Promise<Page<DeliveryLine>> => {
        const { data, meta } = await request(listDeliveries, input, signal);
        return { data: data.map((delivery) => ({ ...delivery, uuid: delivery.message })), meta };
      },
      refetchInterval: ({ state }: { state: { data?: Page<Delivery> | undefined } }) =>
        isActive && state.data?.data.some(isDueSoon) === true && POLL_INTERVAL,
      placeholderData: keepPreviousData<Page<DeliveryLine>>,
    };
  };
