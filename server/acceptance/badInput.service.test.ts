import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '#contract/list.ts';
import { Problem } from '#contract/problem.ts';
import { sendRaw } from '../testing/processes/rawHttp.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import {
  createTwinTenants,
  listPath,
  LISTS,
  snapshotTenantData,
  SHARED_IDENTITIES,
  type Tenant,
} from '../testing/testTenants.ts';

// That the service refuses bad input, and changes nothing. What is bad is in tables of the functions that read it (badInput.test.ts).

let service: TestService;
let own: Tenant;
let other: Tenant;
let before: string;

beforeAll(async () => {
  service = await startTestService();
  [own, other] = await createTwinTenants(service.database, service.clock.now);
  await own.newSession();
  before = await snapshotTenantData(own, service.database);
});
afterAll(() => service[Symbol.asyncDispose]());

async function expectRefusal(response: Response, status: number, fields: string[] = []): Promise<Problem> {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const problem = Problem.parse(await response.json());
  expect(problem.status).toBe(status);
  expect(problem.detail).toMatch(/^\S+ .+\.$/);
  expect((problem.errors ?? []).map(({ field }) => field)).toEqual(fields);
  expect(await snapshotTenantData(own, service.database)).toBe(before);
  return problem;
}

const send = (path: string, init: CallInit = {}) => service.call(path, { token: own.token, ...init });
const update = (init: CallInit) => send(`/v1/contacts/${own.contact}`, { method: 'POST', ...init });
const inWorkspace = (rest: string, { workspace, contact } = own) =>
  `/v1/workspaces/${workspace.uuid}/contacts/${contact}/${rest}`;
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the body of an update', () => {
  test.each<[string, string | undefined, number, string[]]>([
    ['missing', undefined, 422, ['']],
    ['not JSON', '{"attributes":', 400, []],
    ['with an email that is none', '{"attributes":{"email":"anna"}}', 422, ['attributes.email']],
    ['with a NUL character', String.raw`{"attributes":{"note":"a\u0000b"}}`, 422, ['attributes.note']],
    ['with a disguised __proto__', String.raw`{"attributes":{"\u005f\u005fproto__":{"admin":true}}}`, 422, []],
    ['nested as deep as fits', `{"attributes":{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}}`, 422, []],
    ['far too large', `{"attributes":{"a":"${'x'.repeat(4 * 1024 * 1024)}"}}`, 413, []],
  ])('%s', async (_, body, status, fields) => {
    await expectRefusal(await update({ ...(body !== undefined && { body }), headers: JSON_TYPE }), status, fields);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  test('of another media type, or of none', async () => {
    for (const type of ['text/plain; application/json', 'application/jsonp', 'application/json, text/plain', '*/*']) {
      await expectRefusal(await update({ body: '{"attributes":{}}', headers: { 'content-type': type } }), 415);
    }
    await expectRefusal(await update({ body: new TextEncoder().encode('{"attributes":{}}') }), 415);
    for (const type of ['APPLICATION/JSON', 'application/json;charset="UTF-8"']) {
      expect((await update({ body: '{"attributes":{}}', headers: { 'content-type': type } })).status).toBe(200);
    }
  });

  test('of JSON that is compressed, or claims to be', async () => {
    for (const body of [gzipSync('{"attributes":{}}'), '{"attributes":{}}']) {
      const response = await update({ body, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } });
      expect(response.headers.get('accept-encoding')).toBe('identity');
      await expectRefusal(response, 415);
    }
    const headers = { ...JSON_TYPE, 'content-encoding': 'Identity' };
    expect((await update({ body: '{"attributes":{}}', headers })).status).toBe(200);
  });
});

const readOnly = () => ({
  uuid: other.contact,
  id: 1,
  created_at: '2001-01-01T00:00:00.000Z',
  updated_at: '2001-01-01T00:00:00.000Z',
  provider: 'elsewhere',
  workspace: other.workspace.uuid,
  workspace_id: other.workspace.id,
  workspace_uuid: other.workspace.uuid,
  change_count: 0,
  search_key: '',
});

describe('what only the service writes', () => {
  test('next to the attributes is refused by name', async () => {
    const response = await update({ json: { attributes: { company: 'Other' }, ...readOnly() } });
    await expectRefusal(response, 422, Object.keys(readOnly()));
  });

  test('in the attributes is an ordinary name, without effect on the contact', async () => {
    const [mine] = await createTwinTenants(service.database, service.clock.now);
    const twin = await snapshotTenantData(other, service.database);
    const call = async (path: string, json?: unknown) => {
      const init = { token: mine.token, ...(json !== undefined && { method: 'POST', json }) };
      return (await (await service.call(path, init)).json()) as { data: { attributes: object } };
    };
    const path = `/v1/contacts/${mine.contact}`;
    const { data } = await call(path);
    service.clock.now += 1000;
    const attributes = { ...readOnly(), subscribed: false };
    await call(path, { attributes });
    expect((await call(path)).data).toEqual({
      ...data,
      attributes: { ...data.attributes, ...attributes },
      updated_at: new Date(service.clock.now).toISOString(),
    });
    expect(await call('/v1/contacts?subscribed=true')).toMatchObject({ meta: { total: 1 } });
    expect(await snapshotTenantData(other, service.database)).toBe(twin);
  });
});

describe('an unsubscribe, which needs no body,', () => {
  test.each<[string, CallInit]>([
    ['nothing at all', {}],
    ['the JSON header alone', { headers: JSON_TYPE }],
    ['null', { json: null }],
    ['a body that says nothing', { json: {} }],
    ['no body as a form', { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
  ])('is taken with %s', async (_, init) => {
    const response = await send(inWorkspace('unsubscribe', other), { method: 'POST', token: other.token, ...init });
    expect(await response.json()).toMatchObject({ data: { uuid: other.contact, subscribed: false } });
  });

  test('is refused with an unknown reason', async () => {
    const init = { method: 'POST', json: { reason: 'spam' } };
    await expectRefusal(await send(inWorkspace('unsubscribe'), init), 422, ['reason']);
  });

  test('is refused with a form, or under a workspace that is no UUID', async () => {
    const form = { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    await expectRefusal(await send(inWorkspace('unsubscribe'), { method: 'POST', ...form }), 415);
    const path = `/v1/workspaces/acme/contacts/${own.contact}/unsubscribe`;
    await expectRefusal(await send(path, { method: 'POST' }), 403);
  });
});

describe('the path', () => {
  // Sent byte for byte, because every HTTP client would normalise these.
  test.each<[string, string, number[]]>([
    ['a dot', '.', [400]],
    ['two dots', '..', [400]],
    ['escaped dots', '%2e%2E', [400]],
    ['nothing', '', [400, 404]],
    ['a space', '%20', [400]],
    ['a NUL character', 'a%00b', [400]],
    ['half a character', '%ed%a0%80', [400]],
    ['bytes that are not UTF-8', '%ff', [400]],
    ['broken escaping', '%zz', [400]],
    ['1,025 characters', 'a'.repeat(1025), [404]],
    ['9,000 characters', 'a'.repeat(9000), [414]],
  ])('with %s for a contact', async (_, segment, statuses) => {
    for (const [method, path, body] of [
      ['POST', `/v1/contacts/${segment}`, '{"attributes":{"company":"changed"}}'],
      ['GET', `/v1/contacts/${segment}/events`, ''],
      ['POST', `/v1/workspaces/${own.workspace.uuid}/contacts/${segment}/unsubscribe`, ''],
    ] as const) {
      const answer = await sendRaw(
        service.port,
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${own.token}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      expect(statuses, `${method} ${path} gives ${answer.status}`).toContain(answer.status);
      expect(Problem.parse(JSON.parse(answer.body)).detail).toMatch(/\.$/);
      if (segment.length > 3) expect(answer.text).not.toContain(segment);
    }
    expect(await snapshotTenantData(own, service.database)).toBe(before);
  });

  test('in another letter case, with another slash, or without the version', async () => {
    for (const path of ['/V1/domains', '/v1/Domains', '/v1/domains/x/', '//v1/domains', '/domains', '/v2/domains']) {
      await expectRefusal(await send(path), 404);
    }
    await expectRefusal(await send('/v1/domains/'), 400);
  });
});

const askList = (list: (typeof LISTS)[number], query: string) =>
  send(
    `${listPath(list, { contact: SHARED_IDENTITIES.email, domain: own.domain, destination: own.destination, run: own.run })}?${query}`,
  );

describe.each(LISTS)('the query of $path', (endpoint) => {
  const ask = (query: string) => askList(endpoint, query);

  test('reports every fault at once', async () => {
    await expectRefusal(await ask(`page=0&per_page=x&search=${'a'.repeat(300)}&sorting[]=no`), 422, [
      'page',
      'per_page',
      ...(endpoint.list.search ? ['search'] : []),
      ...(endpoint.list.sortable.length > 0 ? ['sorting[]'] : []),
    ]);
  });

  test('with the last possible page, or a huge per_page, is accepted', async () => {
    const { meta } = (await (await ask('')).json()) as Page<unknown>;
    expect(meta.total).toBeGreaterThan(0);
    const response = await ask('page=10000000&per_page=999999999999');
    expect(await response.json()).toMatchObject({
      data: [],
      meta: { per_page: 100, current_page: 10_000_000, total: meta.total, last_page: 1 },
    });
  });
});

test('sorting with more than three descriptors, and with as many as an address holds', async () => {
  for (const count of [4, 150]) {
    const query = Array.from({ length: count }, () => 'sorting[]={"id":"created_at","desc":true}').join('&');
    await expectRefusal(await send(`/v1/domains?${query}`), 422, ['sorting[]']);
  }
});

const around = (limit: number) => [limit - 1, limit, limit + 1] as const;
const letters = (count: number) => 'x'.repeat(count);

test.each(around(256 * 1024))('%d bytes of a body', async (size) => {
  const { status } = await update({ body: '{"attributes":{}}'.padEnd(size), headers: JSON_TYPE });
  expect(status).toBe(size > 256 * 1024 ? 413 : 200);
});

test.each(around(8 * 1024))('%d characters of an address', async (size) => {
  const start = '/v1/domains?x=';
  const { status } = await service.call(start + letters(size - start.length), { token: own.token });
  expect(status).toBe(size > 8 * 1024 ? 414 : 200);
});

test.each(around(200))('%d attributes', async (count) => {
  const [{ contact, token }] = await createTwinTenants(service.database, service.clock.now);
  // It has five.
  const attributes = Object.fromEntries(Array.from({ length: count - 5 }, (_, index) => [`k${index}`, 1]));
  const { status } = await service.call(`/v1/contacts/${contact}`, { method: 'POST', token, json: { attributes } });
  expect(status).toBe(count > 200 ? 422 : 200);
});

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
