import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../testing/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';

// The limits of a request that only the service as a whole has: just below, at it and just above. Limits of what is in it are tested where
// it is read: contract/list.test.ts, contacts/attributes.test.ts, contacts/identity.test.ts and badInput.test.ts.

let service: TestService;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

async function update(attributes: unknown, length = 0): Promise<number> {
  const body = JSON.stringify({ attributes }).padEnd(length);
  const headers = { 'content-type': 'application/json' };
  return (await service.call(`/v1/contacts/${own.contact}`, { method: 'POST', token: own.token, headers, body }))
    .status;
}

/** Just below `limit`, at it, and just above. */
const around = (limit: number) => [limit - 1, limit, limit + 1] as const;
const letters = (count: number) => 'x'.repeat(count);
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));

test.each(around(256 * 1024))('%d bytes of a body', async (size) => {
  expect(await update({}, size)).toBe(size > 256 * 1024 ? 413 : 200);
});

test.each(around(8 * 1024))('%d characters of an address', async (size) => {
  const start = '/v1/domains?x=';
  const { status } = await service.call(start + letters(size - start.length), { token: own.token });
  expect(status).toBe(size > 8 * 1024 ? 414 : 200);
});

test.each(around(200))('%d attributes', async (count) => {
  await update(Object.fromEntries(Object.keys(keys(200)).map((key) => [key, null])));
  const { data } = (await (await service.call(`/v1/contacts/${own.contact}`, { token: own.token })).json()) as {
    data: { attributes: object };
  };
  const others = Object.keys(data.attributes).length;
  expect(await update(keys(count - others))).toBe(count > 200 ? 422 : 200);
});

/** The address, and names and values of the headers count. */
async function statusWithHeaders(size: number): Promise<number> {
  const counted = ['/healthz', 'Host', 'x', 'Connection', 'close', 'X'].join('').length;
  const head = `GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX: ${letters(size - counted)}\r\n\r\n`;
  return (await sendRaw(service.port, head)).status;
}

test.each([
  [-1, 200],
  [0, 431],
  [1, 431],
])('headers of 16 KiB and %d bytes: %d', async (more, status) => {
  expect(await statusWithHeaders(16 * 1024 + more)).toBe(status);
});
