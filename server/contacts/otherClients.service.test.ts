import { afterAll, beforeAll, expect, test } from 'vitest';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';
import type { Workspace } from '../database/workspace.ts';

// The calls of Leadpush's own clients as they send them (Node; Python has the same paths): what docs/gaps.md says that they meet.

let service: TestService;
let workspace: Workspace;
let admin: string;
let ingest: string;
let support: string;
const DOMAIN = '0d000000-0000-4000-8000-000000000001';
beforeAll(async () => {
  service = await startTestService();
  const { database } = service;
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: null }, 0);
  const tokenOf = async (role: 'admin' | 'ingest' | 'support') =>
    (await createToken(workspace, database, { name: `as ${role}`, role }, 0)).token;
  [admin, ingest, support] = [await tokenOf('admin'), await tokenOf('ingest'), await tokenOf('support')];
  await database.write(workspace, async (scope) => {
    await putDomains(scope, [{ uuid: DOMAIN, name: 'north.example', domain: 'north.example', dns: [] }], 0);
    await putAddresses(scope, [{ domain: 'north.example', address: 'hello' }], 0);
  });
});
afterAll(() => service[Symbol.asyncDispose]());

const HEADERS = {
  'X-Leadpush-API-Version': 'v1',
  'X-Leadpush-SDK': '@leadpush/sdk-node',
  'X-Leadpush-SDK-Version': '1',
};

/** A call without a body has no content type, and none of its own where it is a GET. */
async function call(method: string, path: string, json?: unknown, token = admin) {
  const headers = { ...HEADERS, ...(json !== undefined && { 'content-type': 'application/json' }) };
  const body = json === undefined ? {} : { body: JSON.stringify(json) };
  const response = await service.call(`/v1/${path}`, { method, headers, token, ...body });
  const text = await response.text();
  const answer = (text === '' ? undefined : JSON.parse(text)) as Record<string, unknown> & {
    data: Record<string, unknown>;
  };
  return { status: response.status, answer, data: answer?.data };
}

const create = async (email: string, more: object = {}) =>
  (await call('POST', 'contacts', { attributes: { email }, ...more })).data as { uuid: string };
const changesOf = async (contact: string) =>
  (await call('GET', `contacts/${contact}/changes`)).data as unknown as Record<string, unknown>[];

test('a creation answers with the whole contact for a role that may read, and else with its UUID', async () => {
  const made = await call('POST', 'contacts', {
    subscribed: false,
    attributes: { email: 'ida.roe@north.example', first_name: 'Ida' },
  });
  expect(made.status).toBe(200);
  const got = await call('GET', 'contacts/ida.roe%40north.example');
  expect(made.data).toEqual({ ...got.data, created: true });
  expect(made.data).toMatchObject({ subscribed: false, attributes: { first_name: 'Ida' } });

  const again = { attributes: { email: 'ida.roe@north.example', company: 'Acme' } };
  const merged = await call('POST', 'contacts?upsert', again);
  expect(merged.data).toMatchObject({ created: false, attributes: { first_name: 'Ida', company: 'Acme' } });
  const blind = await call('POST', 'contacts?upsert', again, ingest);
  expect(blind.data).toEqual({ uuid: (made.data as { uuid: string }).uuid, created: false });
});

test('unsubscribe and subscribe without the workspace in the path', async () => {
  const { uuid } = await create('per.holm@south.example');
  const path = 'contacts/per.holm%40south.example';
  for (const wanted of [false, false, true, true]) {
    const { status, data } = await call('POST', `${path}/${wanted ? 'subscribe' : 'unsubscribe'}`, undefined, support);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      uuid,
      subscribed: wanted,
      provider: '',
      attributes: { email: 'per.holm@south.example' },
    });
  }
  const reason = 'Asked for it by phone';
  await call('POST', `${path}/unsubscribe`);
  expect((await call('POST', `${path}/subscribe`, { reason })).status).toBe(200);
  // Newest first; a repeat is no line.
  expect(await changesOf(uuid)).toMatchObject([
    { action: 'subscribe', reason },
    { action: 'unsubscribe', reason: null },
    { action: 'subscribe', reason: null, actor: { name: 'as support' } },
    { action: 'unsubscribe', reason: null, actor: { name: 'as support' } },
    { action: 'create' },
  ]);

  for (const way of ['subscribe', 'unsubscribe']) {
    expect((await call('POST', `contacts/nobody%40south.example/${way}`)).status).toBe(404);
    expect((await call('POST', `${path}/${way}`, undefined, ingest)).status).toBe(403);
  }
});

test('an update with subscribed: false unsubscribes, by itself and with attributes', async () => {
  const { uuid } = await create('kim.long@west.example');
  const alone = await call('POST', `contacts/${uuid}`, { subscribed: false });
  // Without `data`: section 4.1 of the interface.
  expect(alone).toMatchObject({ status: 200, answer: { uuid, subscribed: false } });
  expect(alone.data).toBeUndefined();
  expect(await changesOf(uuid)).toMatchObject([{ action: 'unsubscribe' }, { action: 'create' }]);

  const refused = await call('POST', `contacts/${uuid}`, { subscribed: true, attributes: { first_name: 'Kim' } });
  expect(refused).toMatchObject({ status: 422, answer: { errors: [{ field: 'subscribed' }] } });
  expect((await call('GET', `contacts/${uuid}`)).data).toMatchObject({ subscribed: false, attributes: {} });

  const { uuid: other } = await create('so.long@west.example');
  const same = await call('POST', `contacts/${other}`, { subscribed: true });
  expect(same).toMatchObject({ status: 200, answer: { subscribed: true } });
  const both = await call('POST', `contacts/${other}`, { subscribed: false, attributes: { first_name: 'So' } });
  expect(both).toMatchObject({ status: 200, answer: { subscribed: false, attributes: { first_name: 'So' } } });
  expect(await changesOf(other)).toMatchObject([
    { action: 'unsubscribe', changes: [{ field: 'subscribed', before: true, after: false }] },
    { action: 'update', changes: [{ field: 'attributes.first_name' }] },
    { action: 'create' },
  ]);
  for (const body of [{}, { subscribed: 'no' }, { subscribed: false, attributes: [] }]) {
    expect((await call('POST', `contacts/${other}`, body)).status, JSON.stringify(body)).toBe(422);
  }
});

test('an event may have the text of its attributes', async () => {
  const { uuid } = await create('lin.wu@east.example');
  const path = `contacts/${uuid}/events`;
  const attributes = { plan: 'enterprise', seats: 3, note: '"é"\n' };
  expect(
    await call('POST', path, { event_name: 'purchase', attributes: JSON.stringify(attributes) }, ingest),
  ).toMatchObject({
    status: 200,
    data: { recorded: true },
  });
  expect(await call('POST', path, { event_name: 'test' }, ingest)).toMatchObject({ status: 200 });
  expect(await call('GET', `${path}?page=1&per_page=1&search=purchase`)).toMatchObject({
    status: 200,
    data: [{ event_name: 'purchase', attributes }],
    answer: { meta: { total: 1, has_next: false } },
  });
  const wrong = ['', '[1]', '"a"', 'null', '7', '{"a":', '{"__proto__":{}}', `${'{"a":'.repeat(99)}1${'}'.repeat(99)}`];
  for (const text of wrong) {
    const { status, answer } = await call('POST', path, { event_name: 'a', attributes: text }, ingest);
    expect({ status, errors: answer['errors'] }, text).toMatchObject({
      status: 422,
      errors: [{ field: 'attributes' }],
    });
  }
});

test('a domain by its UUID, and its addresses', async () => {
  const listed = await call('GET', 'domains?search=north');
  const [domain] = listed.data as unknown as Record<string, unknown>[];
  expect(await call('GET', `domains/${DOMAIN}`)).toMatchObject({ status: 200, answer: { data: domain } });
  expect(await call('GET', `domains/${DOMAIN}/addresses`)).toMatchObject({ status: 200, data: [{ address: 'hello' }] });
  expect((await call('GET', 'domains/0d000000-0000-4000-8000-000000000002')).status).toBe(404);
});

test('what is not offered is refused, and changes nothing', async () => {
  const json = { name: 'new.example' };
  const refused: [number, string, string, unknown?][] = [
    [405, 'POST', 'domains', json],
    [405, 'DELETE', `domains/${DOMAIN}`],
    [404, 'POST', `domains/${DOMAIN}/verification`],
    [405, 'POST', `domains/${DOMAIN}/addresses`, { address: 'new' }],
    [404, 'GET', `domains/${DOMAIN}/addresses/0d000000-0000-4000-8000-000000000003`],
    [404, 'DELETE', `domains/${DOMAIN}/addresses/0d000000-0000-4000-8000-000000000003`],
    [405, 'DELETE', 'contacts/per.holm%40south.example'],
    [404, 'GET', 'fields'],
    [404, 'POST', 'fields', json],
    [405, 'POST', 'suppressions', json],
    [404, 'GET', 'suppressions/per.holm%40south.example'],
    [404, 'POST', 'emails', json],
    [404, 'GET', 'campaigns'],
    [404, 'GET', 'activity'],
  ];
  for (const [status, method, path, body] of refused) {
    expect((await call(method, path, body)).status, `${method} ${path}`).toBe(status);
  }
  expect(await call('GET', 'domains')).toMatchObject({ answer: { meta: { total: 1 } } });
  expect(await call('GET', 'workspace')).toMatchObject({ status: 200, data: { uuid: workspace.uuid, name: 'Acme' } });
});
