import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Endpoint, EndpointInput, EndpointReading } from '#contract/openapi/endpoint.ts';
import { request } from './client.ts';

/** The query options of a read. The key is the operation's id and the whole input. */
export function apiQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E>) {
  return queryOptions({
    queryKey: [endpoint.id, input] as const,
    queryFn: ({ signal }): Promise<EndpointReading<E>> => request(endpoint, input, signal),
  });
}

/** The query options of a page of a list: the rows before stay while the next ones are in flight. */
export function listQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E>) {
  return { ...apiQuery(endpoint, input), placeholderData: keepPreviousData<EndpointReading<E>> };
}

/**
 * After a change: reads again what is shown of an operation. Readings that began before the change are given up: to invalidate alone
 * would keep the answer to one that is the first of its query.
 */
export async function readAgain(client: QueryClient, { id }: Pick<Endpoint, 'id'>): Promise<void> {
  const queries = { queryKey: [id] };
  await client.cancelQueries(queries);
  await client.invalidateQueries(queries);
}
