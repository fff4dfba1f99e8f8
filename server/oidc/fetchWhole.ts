import type { CustomFetchOptions } from 'openid-client';

/** Bytes of a response, decompressed. Metadata, keys and tokens of a provider are some thousand. */
const RESPONSE_MAX = 1024 * 1024;

/** A body that breaks off or takes too long fails as a request without a response does: with a `TypeError`. */
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
