import type { Endpoint, EndpointInput, EndpointReading } from '#contract/openapi/endpoint.ts';
import { readAnswer, send, transportError } from './client.ts';

/** The `ETag` of an answer, where the service gave one. */
const tags = new WeakMap<object, string>();

/** Whether the service can say that nothing has changed since `answer`. */
export const isRevalidatable = (answer: object | undefined): boolean => answer !== undefined && tags.has(answer);

/** As `request`; gives `known`, an earlier answer to the same request, where the service says that it has not changed. */
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
    const answer = await readAnswer(endpoint, response);
    const tag = response.headers.get('etag');
    if (tag !== null && typeof answer === 'object' && answer !== null) tags.set(answer, tag);
    return answer;
  } catch (cause) {
    throw transportError(cause, signal);
  }
}
