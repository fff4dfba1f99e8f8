import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Page } from '#contract/list.ts';
import { Problem } from '#contract/problem.ts';
import { sendRaw } from '../testing/rawHttp.ts';
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

/** Checks the answer to bad input: a problem document with a sentence, and nothing is changed. */
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

  test.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/problem+json',
    'application/jsonp',
    'application/json, text/plain',
    'json',
    '*/*',
  ])('of the media type %s', async (type) => {
    await expectRefusal(await update({ body: '{"attributes":{}}', headers: { 'content-type': type } }), 415);
  });

  test('of no media type', async () => {
    await expectRefusal(await update({ body: new TextEncoder().encode('{"attributes":{}}') }), 415);
  });

  test('of JSON that is packed, or said to be', async () => {
    for (const body of [gzipSync('{"attributes":{}}'), '{"attributes":{}}']) {
      const response = await update({ body, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } });
      expect(response.headers.get('accept-encoding')).toBe('identity');
      await expectRefusal(response, 415);
    }
    const headers = { ...JSON_TYPE, 'content-encoding': 'Identity' };
    expect((await update({ body: '{"attributes":{}}', headers })).status).toBe(200);
  });

  test.each(['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"'])(
    'of the media type %s is read',
    async (type) => {
      expect((await update({ body: '{"attributes":{}}', headers: { 'content-type': type } })).status).toBe(200);
    },
  );
});

const readOnly = () => ({
  uuid: other.contact,
  id: 1,
  subscribed: false,
  created_at: '2001-01-01T00:00:00.000Z',
  updated_at: '2001-01-01T00:00:00.000Z',
  provider: 'elsewhere',
  workspace: other.workspace.uuid,
  workspace_id: other.workspace.id,
  workspace_uuid: other.workspace.uuid,
  event_count: 0,
  change_count: 0,
  search_key: '',
});

describe('what only the service writes', () => {
  test('beside the attributes is refused by its name', async () => {
    const response = await update({ json: { attributes: { company: 'Other' }, ...readOnly() } });
    await expectRefusal(response, 422, Object.keys(readOnly()));
  });

  test('among the attributes is a name like any other, and says nothing of the contact', async () => {
    const [mine] = await createTwinTenants(service.database, service.clock.now);
    const twin = await snapshotTenantData(other, service.database);
    const call = async (path: string, json?: unknown) => {
      const init = { token: mine.token, ...(json !== undefined && { method: 'POST', json }) };
      return (await (await service.call(path, init)).json()) as { data: { attributes: object } };
    };
    const path = `/v1/contacts/${mine.contact}`;
    const { data } = await call(path);
    service.clock.now += 1000;
    await call(path, { attributes: readOnly() });
    expect((await call(path)).data).toEqual({
      ...data,
      attributes: { ...data.attributes, ...readOnly() },
      updated_at: new Date(service.clock.now).toISOString(),
    });
    expect(await call('/v1/contacts?subscribed=true')).toMatchObject({ meta: { total: 1 } });
    expect(await snapshotTenantData(other, service.database)).toBe(twin);
  });
});

describe('an unsubscribe, which has no body,', () => {
  test.each<[string, CallInit]>([
    ['nothing at all', {}],
    ['the JSON header alone', { headers: JSON_TYPE }],
    ['null', { json: null }],
    ['a body that means nothing', { json: { reason: 'spam' } }],
    ['no body as text', { body: '', headers: { 'content-type': 'text/plain;charset=UTF-8' } }],
    ['no body as a form', { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['no body as nothing', { body: '', headers: { 'content-type': '' } }],
  ])('is taken with %s', async (_, init) => {
    const response = await send(inWorkspace('unsubscribe', other), { method: 'POST', token: other.token, ...init });
    expect(await response.json()).toMatchObject({ data: { uuid: other.contact, subscribed: false } });
  });

  test.each<[string, CallInit, number]>([
    ['broken JSON', { body: '{', headers: JSON_TYPE }, 400],
    ['a form', { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
  ])('is not taken with %s', async (_, init, status) => {
    await expectRefusal(await send(inWorkspace('unsubscribe'), { method: 'POST', ...init }), status);
  });

  test('is not taken under a workspace that is no UUID', async () => {
    const response = await send(`/v1/workspaces/acme/contacts/${own.contact}/unsubscribe`, { method: 'POST' });
    await expectRefusal(response, 403);
  });
});

describe('the reason to subscribe somebody again', () => {
  test('is needed', async () => {
    await expectRefusal(await send(inWorkspace('subscribe'), { method: 'POST', json: {} }), 422, ['reason']);
  });

  test('is stored without the blanks around it', async () => {
    const { token } = other;
    await service.call(inWorkspace('unsubscribe', other), { method: 'POST', token });
    const json = { reason: `  ${'y'.repeat(500)} ` };
    const response = await service.call(inWorkspace('subscribe', other), { method: 'POST', token, json });
    expect(await response.json()).toMatchObject({ data: { subscribed: true } });
    const log = await service.call(`/v1/contacts/${other.contact}/changes`, { token });
    expect(((await log.json()) as Page<unknown>).data[0]).toMatchObject({ reason: 'y'.repeat(500) });
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

  test.each(['ffffffff-ffff-4fff-8fff-ffffffffffff', SHARED_IDENTITIES.domain, 'x'])(
    'with the unknown domain %s',
    async (domain) => {
      const problem = await expectRefusal(await send(`/v1/domains/${domain}/addresses`), 404);
      expect(problem.detail).toBe('There is no such domain in this workspace.');
    },
  );

  test('of another letter case, with a slash more, or without the version', async () => {
    for (const path of ['/V1/domains', '/v1/Domains', '/v1/domains/', '//v1/domains', '/domains', '/v2/domains']) {
      await expectRefusal(await send(path), 404);
    }
  });

  test('with another method, whatever the body', async () => {
    // If the method were accepted, this body would be rejected.
    const response = await send('/v1/contacts/x/events', { method: 'PUT', body: '{', headers: JSON_TYPE });
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
    await expectRefusal(response, 405);
  });
});

const askList = (list: (typeof LISTS)[number], query: string) =>
  send(`${listPath(list, { contact: SHARED_IDENTITIES.email, domain: own.domain })}?${query}`);

describe.each(LISTS)('the query of $path', (endpoint) => {
  const ask = (query: string) => askList(endpoint, query);

  test('says every fault at once', async () => {
    await expectRefusal(await ask(`page=0&per_page=x&search=${'a'.repeat(300)}&sorting[]=no`), 422, [
      'page',
      'per_page',
      ...(endpoint.list.search ? ['search'] : []),
      ...(endpoint.list.sortable.length > 0 ? ['sorting[]'] : []),
    ]);
  });

  test('with the last page that there may be, or a huge per_page, is no fault', async () => {
    const { meta } = (await (await ask('')).json()) as Page<unknown>;
    expect(meta.total).toBeGreaterThan(0);
    const response = await ask('page=10000000&per_page=999999999999');
    expect(await response.json()).toMatchObject({
      data: [],
      meta: { per_page: 100, current_page: 10_000_000, total: meta.total, last_page: 1 },
    });
  });
});

test.each(LISTS.filter(({ list }) => list.search))(
  'the query of $path searches for text as it is written, and for all where there is no word',
  async (list) => {
    for (const text of ['%', '_', '\\', '%25%', "' or 1=1 --", '"\u{1f600}', '\u{1f600}', 'İ']) {
      const response = await askList(list, `search=${encodeURIComponent(text)}`);
      expect(await response.json(), text).toMatchObject({ data: [], meta: { total: 0 } });
    }
    const all: unknown = await (await askList(list, '')).json();
    for (const text of ['"', '""', ' " " ']) {
      expect(await (await askList(list, `search=${encodeURIComponent(text)}`)).json(), text).toEqual(all);
    }
  },
);

test('sorting with more than three descriptors, and with as many as an address holds', async () => {
  for (const count of [4, 150]) {
    const query = Array.from({ length: count }, () => 'sorting[]={"id":"created_at","desc":true}').join('&');
    await expectRefusal(await send(`/v1/domains?${query}`), 422, ['sorting[]']);
  }
});

test.each(['step=minute', 'step=day&step=week'])('an activity with %s is refused', async (query) => {
  await expectRefusal(await send(`/v1/contacts/${own.contact}/activity?${query}`), 422, ['step']);
});
