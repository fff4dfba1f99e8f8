import type { Endpoint, EndpointInput } from '#contract/endpoint.ts';
import { baseUrl, createCall } from './client.ts';

/**
 * The command that makes the same call from a shell: it takes the token from the variable TOKEN, and never holds it.
 * Throws an `ApiError` for what no call can be made of.
 */
export function curlCommand<E extends Endpoint>(endpoint: E, input: EndpointInput<E>): string {
  const { address, body } = createCall(endpoint, input);
  return [
    `curl ${quote(baseUrl() + address)}`,
    // With a body, curl makes it a POST by itself.
    ...(endpoint.method === 'GET' || body !== null ? [] : [`--request ${endpoint.method}`]),
    '--header "Authorization: Bearer $TOKEN"',
    "--header 'Content-Type: application/json'",
    ...(body === null ? [] : [`--data ${quote(body)}`]),
  ].join(' \\\n  ');
}

/** Between single quotes a shell takes every character as it is, but the single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
