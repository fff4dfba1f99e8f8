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

let service: TestService;
let own: Tenant;
let before: string;

beforeAll(async () => {
  service = await startTestService();
  [own] = await createTwinTenants(service.database, service.clock.now);
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
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the body of an update', () => {
  test.each<[string, string | undefined, number, string[]]>([
    ['missing', undefined, 422, ['']],
    ['empty', '', 422, ['']],
    ['not JSON', '{"attributes":', 400, []],
    ['text', 'attributes=1', 400, []],
    ['null', 'null', 422, ['']],
    ['an array', '[{"attributes":{}}]', 422, ['']],
    ['a string', '"attributes"', 422, ['']],
    ['without attributes', '{}', 422, ['attributes']],
    ['with attributes that are null', '{"attributes":null}', 422, ['attributes']],
    ['with attributes that are an array', '{"attributes":[]}', 422, ['attributes']],
    ['with attributes that are a string', '{"attributes":"x"}', 422, ['attributes']],
    [
      'with what a client must not write',
      '{"attributes":{"company":"x"},"subscribed":true,"uuid":"x"}',
      422,
      ['subscribed', 'uuid'],
    ],
    ['with a key __proto__', '{"attributes":{"__proto__":{"admin":true}}}', 422, []],
    ['with a disguised __proto__', '{"attributes":{"a":[{"\\u005f\\u005fproto__":1}]}}', 422, []],
    ['nested too deep', `{"attributes":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`, 422, []],
    ['nested as deep as fits', `{"attributes":{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}}`, 422, []],
    ['too large', `{"attributes":{"a":"${'x'.repeat(256 * 1024)}"}}`, 413, []],
    ['far too large', `{"attributes":{"a":"${'x'.repeat(4 * 1024 * 1024)}"}}`, 413, []],
  ])('%s', async (_, body, status, fields) => {
    const init = body === undefined ? {} : { body };
    await expectRefusal(await update({ ...init, headers: JSON_TYPE }), status, fields);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  test.each<[string, Record<string, unknown>]>([
    ['an email that is none', { email: 'anna' }],
    ['an email that is a number', { email: 1 }],
    ['a phone that is an object', { phone: {} }],
    ['a custom identity that looks like a UUID', { customer_id: '00000000-0000-4000-8000-000000000000' }],
    ['a key of 200 characters', { ['k'.repeat(200)]: 1 }],
    ['a value of 9 KiB', { note: 'x'.repeat(9 * 1024) }],
    ['a NUL character', { note: 'a\u0000b' }],
    ['half a character', { note: '\ud800' }],
    ['201 keys', Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`k${index}`, 1]))],
  ])('attributes with %s', async (_, attributes) => {
    const response = await update({ json: { attributes } });
    expect(response.status).toBe(422);
    const problem = Problem.parse(await response.json());
    expect(problem.errors?.length).toBeGreaterThan(0);
    expect(problem.errors?.[0]?.field).toMatch(/^attributes/);
    expect(await snapshotTenantData(own, service.database)).toBe(before);
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
    const body = new TextEncoder().encode('{"attributes":{}}');
    await expectRefusal(await update({ body }), 415);
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

describe('an unsubscribe, which has no body,', () => {
  test.each<[string, CallInit]>([
    ['nothing at all', {}],
    ['the JSON header alone', { headers: JSON_TYPE }],
    ['an empty object', { json: {} }],
    ['null', { json: null }],
    ['a body that means nothing', { json: { reason: 'spam' } }],
    ['no body as text', { body: '', headers: { 'content-type': 'text/plain;charset=UTF-8' } }],
    ['no body as a form', { body: '', headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
    ['no body as nothing', { body: '', headers: { 'content-type': '' } }],
  ])('is taken with %s', async (_, init) => {
    const [other] = await createTwinTenants(service.database, service.clock.now);
    const path = `/v1/workspaces/${other.workspace.uuid}/contacts/${other.contact}/unsubscribe`;
    const response = await service.call(path, { method: 'POST', token: other.token, ...init });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ data: { uuid: other.contact, subscribed: false } });
  });

  test.each<[string, CallInit, number]>([
    ['broken JSON', { body: '{', headers: JSON_TYPE }, 400],
    ['a form', { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } }, 415],
  ])('is not taken with %s', async (_, init, status) => {
    const path = `/v1/workspaces/${own.workspace.uuid}/contacts/${own.contact}/unsubscribe`;
    await expectRefusal(await send(path, { method: 'POST', ...init }), status);
  });

  test.each([
    ['another workspace', 'ffffffff-ffff-4fff-8fff-ffffffffffff'],
    ['no UUID', 'acme'],
  ])('is not taken under %s', async (_, workspace) => {
    const response = await send(`/v1/workspaces/${workspace}/contacts/${own.contact}/unsubscribe`, { method: 'POST' });
    await expectRefusal(response, 403);
  });
});

describe('the reason to subscribe somebody again', () => {
  test.each<[string, unknown, string[]]>([
    ['missing', {}, ['reason']],
    ['null', { reason: null }, ['reason']],
    ['a number', { reason: 1 }, ['reason']],
    ['a list', { reason: ['Asked'] }, ['reason']],
    ['something whose length is no number', { reason: { length: { toString: 1 } } }, ['reason']],
    ['empty', { reason: '' }, ['reason']],
    ['nothing but blanks', { reason: ' \n\u00a0 ' }, ['reason']],
    ['501 characters long', { reason: 'x'.repeat(501) }, ['reason']],
    ['with a NUL character', { reason: 'a\u0000b' }, ['reason']],
    ['with half a character', { reason: '\ud800' }, ['reason']],
    ['beside something else', { reason: 'Asked', subscribed: true }, ['subscribed']],
    ['no object', 'Asked', ['']],
    ['absent with its body', undefined, ['']],
  ])('%s', async (_, json, fields) => {
    const path = `/v1/workspaces/${own.workspace.uuid}/contacts/${own.contact}/subscribe`;
    await expectRefusal(await send(path, { method: 'POST', json }), 422, fields);
  });

  test('is stored without the blanks around it', async () => {
    const [other] = await createTwinTenants(service.database, service.clock.now);
    const at = `/v1/workspaces/${other.workspace.uuid}/contacts/${other.contact}`;
    await service.call(`${at}/unsubscribe`, { method: 'POST', token: other.token });
    const json = { reason: `  ${'y'.repeat(500)} ` };
    const response = await service.call(`${at}/subscribe`, { method: 'POST', token: other.token, json });
    expect(await response.json()).toMatchObject({ data: { subscribed: true } });
    const log = await service.call(`/v1/contacts/${other.contact}/changes`, { token: other.token });
    expect(await log.json()).toMatchObject({ data: [{ reason: 'y'.repeat(500) }, {}, {}] });
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
    const paths = [
      ['POST', `/v1/contacts/${segment}`],
      ['GET', `/v1/contacts/${segment}/events`],
      ['POST', `/v1/workspaces/${own.workspace.uuid}/contacts/${segment}/unsubscribe`],
      ['POST', `/v1/workspaces/${own.workspace.uuid}/contacts/${segment}/subscribe`],
      ['GET', `/v1/contacts/${segment}/changes`],
    ];
    for (const [method, path] of paths) {
      const right = path?.endsWith('/subscribe') ? '{"reason":"asked"}' : '{"attributes":{"company":"changed"}}';
      const body = method === 'POST' ? right : '';
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

  test('with an unknown contact', async () => {
    await expectRefusal(await send('/v1/contacts/nobody%40example.com/events'), 404);
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

  test.each([
    ['PUT', '/v1/contacts/x', 'POST, GET, HEAD'],
    ['PATCH', '/v1/contacts/x', 'POST, GET, HEAD'],
    ['DELETE', '/v1/contacts/x', 'POST, GET, HEAD'],
    ['POST', '/v1/domains', 'GET, HEAD'],
    ['OPTIONS', '/v1/domains', 'GET, HEAD'],
    ['GET', '/v1/workspaces/x/contacts/x/unsubscribe', 'POST'],
    ['PUT', '/v1/contacts/x/events', 'GET, HEAD, POST'],
    ['POST', '/v1/contacts/x/changes', 'GET, HEAD'],
    ['GET', '/v1/workspaces/x/contacts/x/subscribe', 'POST'],
  ])('with the method %s %s, whatever the body', async (method, path, allowed) => {
    // If the method were accepted, this body would be rejected.
    const response = await send(path, { method, ...(method !== 'GET' && { body: '{' }), headers: JSON_TYPE });
    expect(response.headers.get('allow')).toBe(allowed);
    await expectRefusal(response, 405);
  });
});

const PAGING_FAULTS: [string, string][] = [
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=one', 'page'],
  ['page=', 'page'],
  ['page=1e3', 'page'],
  ['page=10000001', 'page'],
  ['page=999999999999', 'page'],
  ['page=99999999999999999999', 'page'],
  ['page=1&page=2', 'page'],
  ['per_page=0', 'per_page'],
  ['per_page=-10', 'per_page'],
  ['per_page=ten', 'per_page'],
  ['per_page=10&per_page=20', 'per_page'],
  ['sorting={"id":"created_at","desc":true}', 'sorting'],
  ['sorting[0]={"id":"created_at","desc":true}', 'sorting[0]'],
];
const SEARCH_FAULTS: [string, string][] = [
  [`search=${'a'.repeat(201)}`, 'search'],
  ['search=a%00b', 'search'],
  ['search=a&search=b', 'search'],
];
const SORTING_FAULTS: [string, string][] = [
  ['sorting[]=created_at', 'sorting[]'],
  ['sorting[]=', 'sorting[]'],
  ['sorting[]=%7B', 'sorting[]'],
  ['sorting[]=null', 'sorting[]'],
  ['sorting[]=[]', 'sorting[]'],
  ['sorting[]={"id":"created_at"}', 'sorting[]'],
  ['sorting[]={"id":"created_at","desc":"true"}', 'sorting[]'],
  ['sorting[]={"id":"created_at","desc":true,"nulls":"first"}', 'sorting[]'],
  ['sorting[]={"id":"workspace_id","desc":true}', 'sorting[]'],
  ['sorting[]={"id":"created_at desc; drop table contacts","desc":true}', 'sorting[]'],
  ['sorting[]={"id":"__proto__","desc":true}', 'sorting[]'],
  ['sorting[]={"id":"created_at","desc":true}&sorting[]={"id":"created_at","desc":false}', 'sorting[]'],
];

describe.each(LISTS.map((list) => [list.path, list] as const))('the query of %s', (_, endpoint) => {
  const { search, sortable } = endpoint.list;
  const isSearched = search !== undefined;
  const isSorted = sortable.length > 0;
  const ask = (query: string) =>
    send(`${listPath(endpoint, { contact: SHARED_IDENTITIES.email, domain: own.domain })}?${query}`);

  test.each([...PAGING_FAULTS, ...(isSearched ? SEARCH_FAULTS : []), ...(isSorted ? SORTING_FAULTS : [])])(
    '%s',
    async (query, field) => {
      await expectRefusal(await ask(query), 422, [field]);
    },
  );

  if (isSorted)
    test('with more than three descriptors, and with as many as an address holds', async () => {
      const descriptor = 'sorting[]={"id":"created_at","desc":true}';
      for (const count of [4, 150]) {
        const query = Array.from({ length: count }, () => descriptor).join('&');
        await expectRefusal(await ask(query), 422, ['sorting[]']);
      }
    });

  test('with a search of 10,000 characters', async () => {
    await expectRefusal(await ask(`search=${'a'.repeat(10_000)}`), 414);
  });

  test('says every fault at once', async () => {
    await expectRefusal(await ask(`page=0&per_page=x&search=${'a'.repeat(300)}`), 422, [
      'page',
      'per_page',
      ...(isSearched ? ['search'] : []),
    ]);
  });

  test('with the last page that there may be, or a huge per_page, is no fault', async () => {
    const { meta } = (await (await ask('')).json()) as Page<unknown>;
    expect(meta.total).toBeGreaterThan(0);
    const response = await ask('page=10000000&per_page=999999999999');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      data: [],
      meta: { per_page: 100, current_page: 10_000_000, total: meta.total, last_page: 1 },
    });
  });

  if (isSearched)
    test.each(['%', '_', '\\', '%25%', "' or 1=1 --", '"\u{1f600}', '\u{1f600}', 'İ'])(
      'searches for %s as it is written',
      async (text) => {
        const response = await ask(`search=${encodeURIComponent(text)}`);
        expect(response.status).toBe(200);
        expect(await response.json()).toMatchObject({ data: [], meta: { total: 0 } });
      },
    );

  if (isSearched)
    test.each(['"', '""', ' " " '])('a search for %s has no word, and finds all', async (text) => {
      const [all, found] = await Promise.all([ask(''), ask(`search=${encodeURIComponent(text)}`)]);
      expect(await found.json()).toEqual(await all.json());
    });
});

test.each([
  ['step=minute', ['step']],
  ['from=yesterday', ['from']],
  ['from=2026-02-30T00:00:00.000Z', ['from']],
  ['zone=Europe/Atlantis', ['zone']],
  ['zone=%00', ['zone']],
  ['search=%00', ['search']],
  [`search=${'x'.repeat(201)}`, ['search']],
  ['step=day&step=week', ['step']],
  ['from=2000-01-01T00:00:00.000Z&step=hour', ['step']],
])('an activity with %s is refused', async (query, fields) => {
  await expectRefusal(await send(`/v1/contacts/${own.contact}/activity?${query}`), 422, fields);
});
