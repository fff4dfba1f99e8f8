import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { buildPath, type Operation } from '#contract/openapi/endpoint.ts';
import { operations } from '#contract/interface.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import { findCase, OPERATION_CASES, successOf } from '../testing/operationCases.ts';
import { createTwinTenants, SHARED_IDENTITIES, type Tenant } from '../testing/testTenants.ts';

// A new operation without a case in testing/operationCases.ts fails.

const endpoints = [...operations, ...additions];

let service: TestService;
let alpha: Tenant;
let bravo: Tenant;

beforeAll(async () => {
  service = await startTestService();
  [alpha] = await createTwinTenants(service.database, service.clock.now);
  // All of the other is newer, so that a list of both would begin with it.
  service.clock.now += 1000;
  [, bravo] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

function send(endpoint: Operation, params: Record<string, string>, init: CallInit): Promise<Response> {
  const { body: json } = findCase(endpoint);
  return service.call(buildPath(endpoint, params), { method: endpoint.method, json, ...init });
}

const tenantsFor = (endpoint: Operation): Promise<[Tenant, Tenant]> | [Tenant, Tenant] =>
  findCase(endpoint).isLast ? createTwinTenants(service.database, service.clock.now) : [alpha, bravo];

test('every operation has a case, and no case is without an operation', () => {
  expect(Object.keys(OPERATION_CASES).toSorted()).toEqual(endpoints.map(({ id }) => id).toSorted());
});

describe.each(endpoints)('$id', (endpoint) => {
  const { params, isWithoutText = false } = findCase(endpoint);

  test("responds to its own workspace in exactly the contract's form", async () => {
    const [own, other] = await tenantsFor(endpoint);
    // The scheme of the token may be in any case.
    const headers = { authorization: `bEARER  ${own.token}` };
    const response = await send(endpoint, await params(own), { headers });
    expect(response.status).toBe(successOf(endpoint));
    if (response.status === 204) return expect(await response.text()).toBe('');
    const type = endpoint.isStream ? 'application/x-ndjson' : 'application/json; charset=utf-8';
    expect(response.headers.get('content-type')).toBe(type);
    const text = await response.text();
    for (const line of endpoint.isStream ? text.trimEnd().split('\n') : [text]) {
      const answer: unknown = JSON.parse(line);
      expect(endpoint.result.parse(answer)).toEqual(answer);
    }
    expect(text.includes(own.canary)).toBe(!isWithoutText);
    expect(text).not.toContain(other.canary);
  });
});

const ofContact = endpoints.filter(({ path }) => path.includes('{contact}'));
const { email, phone, custom } = SHARED_IDENTITIES;

test.each([email, ` ${email.toUpperCase()}\u00a0`, phone, custom])(
  'each operation finds a contact of its own by %j, never the twin in the other workspace',
  async (contact) => {
    for (const endpoint of ofContact) {
      for (const tenant of await tenantsFor(endpoint)) {
        const { params, isWithoutText } = findCase(endpoint);
        const response = await send(endpoint, { ...(await params(tenant)), contact }, { token: tenant.token });
        expect(response.status, endpoint.id).toBe(200);
        if (!isWithoutText) expect(await response.text(), endpoint.id).toContain(tenant.canary);
      }
    }
  },
);

describe('with ADDITIONS=off', () => {
  test("the interface's operations exist and the additions do not", async () => {
    await using bare = await startTestService({ settings: { ADDITIONS: 'off' } });
    const [own] = await createTwinTenants(bare.database, bare.clock.now);
    for (const endpoint of endpoints) {
      const { params, body: json } = findCase(endpoint);
      const init = { method: endpoint.method, json, token: own.token };
      const response = await bare.call(buildPath(endpoint, await params(own)), init);
      expect(response.status, endpoint.id).toBe(additions.includes(endpoint) ? 404 : 200);
    }
    const description = (await (await bare.call('/openapi.json')).json()) as { paths: Record<string, object> };
    expect(Object.keys(description.paths).toSorted()).toEqual(operations.map(({ path }) => path).toSorted());
  });
});

test('each change has a log line with token and request, and a repeat has none', async () => {
  await using fresh = await startTestService();
  const [own] = await createTwinTenants(fresh.database, fresh.clock.now);
  const at = `/v1/workspaces/${own.workspace.uuid}/contacts/${own.contact}`;
  const post = async (path: string, json?: unknown) => {
    fresh.clock.now += 1000;
    const response = await fresh.call(path, { method: 'POST', token: own.token, json });
    expect(response.status).toBe(200);
    return response.headers.get('x-request-id');
  };
  const ids = [
    await post(`/v1/contacts/${own.contact}`, { attributes: { company: 'Acme' } }),
    await post(`${at}/unsubscribe`),
    await post(`${at}/subscribe`, { reason: 'Took it back' }),
  ];
  await post(`/v1/contacts/${own.contact}`, { attributes: { company: 'Acme' } });
  await post(`${at}/subscribe`, { reason: 'Once more' });

  const log = (await (
    await fresh.call(`/v1/contacts/${SHARED_IDENTITIES.email}/changes`, { token: own.token })
  ).json()) as {
    data: { action: string; actor: { name: string }; request_id: string; reason: string | null }[];
  };
  const said = log.data.map(({ action, actor, request_id, reason }) => [action, actor.name, request_id, reason]);
  expect(said.slice(0, 3)).toEqual([
    ['subscribe', own.canary, ids[2], 'Took it back'],
    ['unsubscribe', own.canary, ids[1], null],
    ['update', own.canary, ids[0], null],
  ]);
  expect(said).toHaveLength(4);
  expect(
    JSON.stringify(await fresh.database.unscoped.kysely.selectFrom('changes').selectAll().execute()),
  ).not.toContain(own.token);
});
