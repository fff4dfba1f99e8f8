import { get, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/testService.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

/** `fetch` would decompress. */
async function describe(headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${service.url}/openapi.json`, { headers }, resolve).on('error', reject);
  const response = await promise;
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

test('the OpenAPI document has a tag, and comes compressed to who asks for that', async () => {
  const plain = await describe({});
  expect(plain).toMatchObject({ status: 200, headers: { vary: 'accept-encoding' } });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  const { etag = '' } = plain.headers;
  expect(etag).toMatch(/^"[\w-]+"$/);
  expect((JSON.parse(plain.body.toString()) as { openapi: string }).openapi).toBe('3.1.1');

  for (const accepted of ['gzip', 'br;q=1, GZIP;q=0.5', 'deflate,gzip, br']) {
    const small = await describe({ 'accept-encoding': accepted });
    // Another representation: a weak tag (RFC 9110, 8.8.1).
    expect(small.headers).toMatchObject({ 'content-encoding': 'gzip', etag: `W/${etag}`, vary: 'accept-encoding' });
    expect(gunzipSync(small.body)).toEqual(plain.body);
    expect(small.body.length * 4).toBeLessThan(plain.body.length);
  }
  for (const refused of ['identity', 'br', 'gzip;q=0', 'br, gzip; q=0.000', 'xgzip']) {
    expect((await describe({ 'accept-encoding': refused })).headers, refused).not.toHaveProperty('content-encoding');
  }
  for (const known of [etag, `W/${etag}`, '*']) {
    const same = await describe({ 'if-none-match': known, 'accept-encoding': 'gzip' });
    expect([same.status, same.body.length, same.headers.vary], known).toEqual([304, 0, 'accept-encoding']);
  }
  expect((await describe({ 'if-none-match': '"other"' })).status).toBe(200);
});
