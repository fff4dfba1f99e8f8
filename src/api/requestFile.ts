import type { Endpoint, EndpointInput } from '#contract/openapi/endpoint.ts';
import { accept, readChunks, send, transportError } from './client.ts';

export async function* requestFile<E extends Endpoint & { isFile: true }>(
  endpoint: E,
  input: EndpointInput<E>,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  try {
    const response = await send(endpoint, input, signal);
    let refusal = '';
    for await (const chunk of readChunks(response, response.ok ? Infinity : undefined)) {
      if (response.ok) yield chunk;
      else refusal += chunk;
    }
    accept(endpoint, response, refusal);
  } catch (cause) {
    throw transportError(cause, signal);
  }
}
