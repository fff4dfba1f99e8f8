import type { CustomFetchOptions } from 'openid-client';

/** Bytes of a response, decompressed. Metadata, keys and tokens of a provider are some thousand. */
const RESPONSE_MAX = 1024 * 1024;

/**
 * `fetch` that resolves with the whole body, so that a body that's cut off or late fails as a missing response does: with a
 * `TypeError`. So does a body over 1 MiB, whose rest isn't read.
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
