import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PAGE_MAX, PER_PAGE_MAX, SEARCH_MAX, SORTING_MAX } from '#contract/list.ts';
import { sendRaw } from '../testing/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';

// Each limit of a request through HTTP: just below it, at it and just above. Limits of a record are in
// contacts/recordLimits.test.ts and domains/domainLimits.test.ts, those of an import in admin/importLimits.test.ts.

let service: TestService;
let own: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

const get = async (path: string) => (await service.call(path, { token: own.token })).status;

async function update(attributes: unknown, length?: number): Promise<number> {
  const body = JSON.stringify({ attributes });
  const headers = { 'content-type': 'application/json' };
  const path = `/v1/contacts/${own.contact}`;
  const init = { method: 'POST', token: own.token, headers, body: length === undefined ? body : body.padEnd(length) };
  return (await service.call(path, init)).status;
}

/** Just below `limit`, at it, and just above. */
const around = (limit: number) => [limit - 1, limit, limit + 1] as const;
const letters = (count: number) => 'x'.repeat(count);
const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 1]));
const descriptors = (count: number) =>
  ['created_at', 'name', 'status', 'provider']
    .slice(0, count)
    .map((id) => `sorting[]=${JSON.stringify({ id, desc: true })}`)
    .join('&');

describe.each<[what: string, limit: number, beyond: number, ask: (size: number) => Promise<number>]>([
  ['bytes of a body', 256 * 1024, 413, (size) => update({}, size)],
  ['levels of a value', 20, 422, (size) => update({ note: nested(size) })],
  ['characters of a key', 128, 422, (size) => update({ [letters(size)]: 1 })],
  ['bytes of a value', 8 * 1024, 422, (size) => update({ note: letters(size - 2) })],
  [
    'bytes of a value, of three a character',
    8 * 1024,
    422,
    (size) => update({ note: '語'.repeat(2729) + letters(size - 8189) }),
  ],
  ['characters of an email', 254, 422, (size) => update({ email: `${letters(size - 7)}@x.test` })],
  ['characters of a phone', 255, 422, (size) => update({ phone: letters(size) })],
  ['characters of an identity that the workspace names', 255, 422, (size) => update({ customer_id: letters(size) })],
  ['characters of a search', SEARCH_MAX, 422, (size) => get(`/v1/domains?search=${letters(size)}`)],
  ['sort descriptors', SORTING_MAX, 422, (size) => get(`/v1/domains?${descriptors(size)}`)],
  ['pages', PAGE_MAX, 422, (size) => get(`/v1/domains?page=${size}`)],
  [
    'characters of an address',
    8 * 1024,
    414,
    (size) => get(`/v1/domains?x=${letters(size - '/v1/domains?x='.length)}`),
  ],
])('%s', (_, limit, beyond, ask) => {
  test.each(around(limit))('%d', async (size) => {
    expect(await ask(size)).toBe(size > limit ? beyond : 200);
  });
});

test.each(around(200))('%d attributes', async (count) => {
  await update(Object.fromEntries(Object.keys(keys(200)).map((key) => [key, null])));
  const { data } = (await (await service.call(`/v1/contacts/${own.contact}`, { token: own.token })).json()) as {
    data: { attributes: object };
  };
  const others = Object.keys(data.attributes).length;
  expect(await update(keys(count - others))).toBe(count > 200 ? 422 : 200);
});

test.each(around(500))('a reason of %d characters', async (length) => {
  const path = `/v1/workspaces/${own.workspace.uuid}/contacts/${own.contact}/subscribe`;
  const { status } = await service.call(path, { method: 'POST', token: own.token, json: { reason: letters(length) } });
  expect(status).toBe(length > 500 ? 422 : 200);
});

test.each([
  [0, null],
  [1, 1],
  [2, 2],
  [PER_PAGE_MAX - 1, PER_PAGE_MAX - 1],
  [PER_PAGE_MAX, PER_PAGE_MAX],
  [PER_PAGE_MAX + 1, PER_PAGE_MAX],
])('per_page=%d is answered as %j', async (asked, answered) => {
  const response = await service.call(`/v1/domains?per_page=${asked}`, { token: own.token });
  expect(response.status).toBe(answered === null ? 422 : 200);
  if (answered !== null) expect(await response.json()).toMatchObject({ meta: { per_page: answered } });
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
