import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Endpoint, EndpointInput, EndpointReading } from '#contract/endpoint.ts';
import { request } from './client.ts';

/** Key and function of a read, together: the key is the operation and everything that goes into the call. */
export function apiQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E>) {
  return queryOptions({
    queryKey: [endpoint.id, input] as const,
    queryFn: ({ signal }): Promise<EndpointReading<E>> => request(endpoint, input, signal),
  });
}

/** A page of a list: the rows at hand stay while the next ones are on their way. */
export function listQuery<E extends Endpoint>(endpoint: E, input: EndpointInput<E>) {
  return { ...apiQuery(endpoint, input), placeholderData: keepPreviousData<EndpointReading<E>> };
}
