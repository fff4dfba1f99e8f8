import type { Endpoint, EndpointInput, EndpointReading } from '#contract/openapi/endpoint.ts';
import { readResult, send, transportError } from './client.ts';

/** The `ETag` of each result. */
const tags = new WeakMap<object, string>();

/** Whether the service can confirm that a result hasn't changed. */
export const isRevalidatable = (result: object | undefined): boolean => result !== undefined && tags.has(result);

export async function requestAgain<E extends Endpoint>(
  endpoint: E,
  input: EndpointInput<E>,
  known: EndpointReading<E> | undefined,
  signal: AbortSignal,
): Promise<EndpointReading<E>> {
  const before = typeof known === 'object' && known !== null ? tags.get(known) : undefined;
  try {
    const response = await send(endpoint, input, signal, before === undefined ? {} : { 'if-none-match': before });
    if (response.status === 304 && known !== undefined) return known;
    const result = await readResult(endpoint, response);
    const tag = response.headers.get('etag');
    if (tag !== null && typeof result === 'object' && result !== null) tags.set(result, tag);
    return result;
  } catch (cause) {
    throw transportError(cause, signal);
  }
}
