import type { CustomFetchOptions } from 'openid-client';

/** Bytes of a response, decompressed. Metadata, keys and tokens of a provider are some thousand. */
const RESPONSE_MAX = 1024 * 1024;

/**
 * `fetch` that answers when the whole body is there, so that one that breaks off or takes too long fails as a request without a
 * response does. Throws a `TypeError`, as `fetch` does, also where the body is larger than 1 MiB; the rest is not read.
 */
export async function fetchWhole(url: string, init: CustomFetchOptions): Promise<Response> {
  const response = await fetch(url, init as RequestInit);
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > RESPONSE_MAX) throw new TypeError('The response is larger than 1 MiB.');
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), response);
}
