import type { Endpoint, EndpointInput } from '#contract/openapi/endpoint.ts';
import { ApiError } from './ApiError.ts';
import { baseUrl, createCall } from './client.ts';

/** A request as a curl command, with the token from the shell variable TOKEN. Null if `input` is no valid request. */
export function curlCommand<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): string | null {
  try {
    const { address, body } = createCall(endpoint, input);
    return [
      `curl ${quote(baseUrl() + address)}`,
      // With a body, curl makes it a POST by itself.
      ...(endpoint.method === 'GET' || body !== null ? [] : [`--request ${endpoint.method}`]),
      '--header "Authorization: Bearer $TOKEN"',
      "--header 'Content-Type: application/json'",
      ...(body === null ? [] : [`--data ${quote(body)}`]),
    ].join(' \\\n  ');
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** In single quotes a shell takes every character literally, except the single quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
