import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { Endpoint, EndpointInput, EndpointReading } from '#contract/openapi/endpoint.ts';
import { request } from './client.ts';

/** The key is the operation's id and the whole input. */
export function apiQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E>) {
  return queryOptions({
    queryKey: [endpoint.id, input] as const,
    queryFn: ({ signal }): Promise<EndpointReading<E>> => request(endpoint, input, signal),
  });
}

/** A page of a list: the previous rows stay while the next ones load. */
export function listQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E>) {
  return { ...apiQuery(endpoint, input), placeholderData: keepPreviousData<EndpointReading<E>> };
}

/** Reloads an operation after a change. Requests from before the change are cancelled: invalidation alone would keep a first response. */
export async function readAgain(client: QueryClient, { id }: Pick<Endpoint, 'id'>): Promise<void> {
  const queries = { queryKey: [id] };
  await client.cancelQueries(queries);
  await client.invalidateQueries(queries);
}
