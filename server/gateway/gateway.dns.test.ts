import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CheckLine } from '#contract/domains/dnsCheck.ts';
import type { Domain } from '#contract/domains/domain.ts';
import { startTestDns, type TestDns } from '../testing/testDns.ts';
import { importDomain, createRequiredRecords, publishAddresses, RIGHT_ADDRESS } from '../testing/testDomains.ts';
import { sendRaw } from '../testing/processes/rawHttp.ts';
import { callAt, startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, SHARED_IDENTITIES, type Tenant } from '../testing/testTenants.ts';
import { createToken, revokeToken } from '../workspaces/store.ts';
import { startTestGateway, type TestGateway } from '../testing/testGateway.ts';

// A gateway to a service with only the five operations.

const CONSOLE = { 'sendroom-console': '1' };
const MINUTE = 60_000;

let dns: TestDns;
let service: TestService;
let gateway: TestGateway;
let tenant: Tenant;
let other: Tenant;

beforeAll(async () => {
  dns = await startTestDns();
  service = await startTestService({ settings: { ADDITIONS: 'off' } });
  gateway = await startTestGateway({ upstream: `${service.url}/`, dnsClient: dns.dnsClient() });
  [tenant, other] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});
beforeEach(() => {
  service.log.length = 0;
  gateway.log.length = 0;
});

const call = (path: string, init: CallInit = {}) => callAt(gateway.url, path, init);
const unsubscribe = (contact: string, init: CallInit) =>
  call(`/v1/workspaces/${tenant.workspace.uuid}/contacts/${contact}/unsubscribe`, { method: 'POST', ...init });

async function signIn(json: unknown): Promise<Record<string, string>> {
  const response = await call('/session', { method: 'POST', json, headers: CONSOLE });
  expect(response.status).toBe(200);
  const [cookie = ''] = response.headers.getSetCookie();
  expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
  return { ...CONSOLE, cookie: cookie.split(';')[0] ?? '' };
}

const withoutId = (text: string) => text.replace(/"request_id":"[^"]*"/, '');

describe('a caller with a token of the service', () => {
  test.each([
    ['the domains, with their query', () => `/v1/domains?page=1&per_page=1&search=${SHARED_IDENTITIES.domain}`],
    ['the events of a contact by identity', () => `/v1/contacts/${encodeURIComponent(SHARED_IDENTITIES.email)}/events`],
    ['a contact that is not there', () => '/v1/contacts/nobody%40nowhere.test/events'],
  ])('gets the very answer of the service: %s', async (_, path) => {
    const [there, here] = await Promise.all([service.call(path(), tenant), call(path(), tenant)]);
    expect(here.status).toBe(there.status);
    expect(here.headers.get('content-type')).toBe(there.headers.get('content-type'));
    expect(withoutId(await here.text())).toBe(withoutId(await there.text()));
  });

  test('writes through it, and gets the request id that the service has in its log', async () => {
    const json = { attributes: { first_name: 'Änne', large: 12_345 } };
    const updated = await call(`/v1/contacts/${tenant.contact}`, { method: 'POST', token: tenant.token, json });
    expect(await updated.json()).toMatchObject({ attributes: json.attributes });
    const done = await unsubscribe(SHARED_IDENTITIES.email, tenant);
    expect(await done.json()).toMatchObject({ data: { uuid: tenant.contact, subscribed: false } });
    const id = done.headers.get('x-request-id') ?? '';
    expect(service.log.join('')).toContain(id);
    expect(gateway.log.join('')).toContain(`"upstream_request_id":"${id}"`);
  });

  test('sends a body byte for byte, and none above the limit', async () => {
    const path = `/v1/contacts/${tenant.contact}`;
    const headers = { 'content-type': 'application/json' };
    const broken = await call(path, { method: 'POST', token: tenant.token, body: '{"attributes":', headers });
    expect(broken.status).toBe(400);
    expect(broken.headers.get('via')).toMatch(/^1\.1 sendroom-/);
    const large = await call(path, { method: 'POST', token: tenant.token, json: { attributes: 'x'.repeat(300_000) } });
    expect(large.status).toBe(413);
    expect(large.headers.get('via')).toBeNull();
  });

  test('is refused by the service, and without a token by the gateway', async () => {
    const foreign = await unsubscribe(tenant.contact, other);
    expect(foreign.status).toBe(403);
    expect(foreign.headers.get('via')).not.toBeNull();
    const wrong = await call('/v1/domains', { token: 'sr_wrong' });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get('via')).not.toBeNull();
    expect(wrong.headers.get('www-authenticate')).toContain('Bearer');
    service.log.length = 0;
    expect((await call('/v1/domains')).status).toBe(401);
    expect((await call('/v1/domains', { headers: { authorization: 'Basic eDp5' } })).status).toBe(401);
    expect(service.log).toEqual([]);
  });
});

test.each([
  ['GET', '/v1/workspace', 404],
  ['GET', '/v1/contacts/x/changes', 404],
  ['GET', '/v1/../healthz', 404],
  ['DELETE', '/v1/domains', 405],
  ['GET', '/v1/contacts/../events', 400],
  ['GET', '/v1/contacts/%2e%2e/events', 400],
  ['GET', '/v1/domains/..%2f..%2fhealthz/addresses', 400],
  ['GET', '/v1/domains/x%5c..%5c..%5chealthz/addresses', 400],
  ['GET', '/v1/domains/x;%2f..;%2fhealthz/addresses', 404],
  ['GET', '/v1/domains%2f', 404],
  ['GET', '/v1/domains/%252e%252e/addresses', 404],
  ['GET', '//evil.example/v1/domains', 404],
  ['GET', 'http://evil.example/v1/workspace', 404],
  ['GET', '/v1/domains/@evil.example/addresses', 404],
  ['GET', '/v1/domains/x%00/addresses', 400],
])('%s %s reaches nothing but the five operations of the one service', async (method, target, status) => {
  const answer = await sendRaw(
    gateway.port,
    `${method} ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer.status).toBe(status);
  const reached = service.log.map((line) => (JSON.parse(line) as { route?: string }).route);
  expect(reached.filter((route) => route !== '/v1/domains/:domain/addresses')).toEqual([]);
});

describe('the console', () => {
  test('signs in with a token of the service, its calls go through the cookie, and it signs out for good', async () => {
    const headers = await signIn({ token: tenant.token, workspace: tenant.workspace.uuid });
    expect(await (await call('/session', { headers })).json()).toEqual({
      data: {
        workspace_uuid: tenant.workspace.uuid,
        name: null,
        identity_field: null,
        role: null,
        capabilities: ['checkDomain'],
        person: null,
        workspaces: [],
      },
      sign_in: { token: true, account: null, account_sign_out: null },
    });
    expect((await call('/v1/domains', { headers })).status).toBe(200);
    expect((await call('/v1/domains', { headers: { cookie: headers.cookie ?? '' } })).status).toBe(403);
    expect(headers.cookie).not.toContain(tenant.token);
    expect((await call('/session', { method: 'DELETE', headers })).status).toBe(204);
    for (const path of ['/session', '/v1/domains']) expect((await call(path, { headers })).status).toBe(401);
  });

  test('is refused with what the service says of the token', async () => {
    const attempt = (json: unknown) => call('/session', { method: 'POST', json, headers: CONSOLE });
    expect((await attempt({ token: 'sr_wrong' })).status).toBe(401);
    expect((await attempt({ token: 'two\r\nlines' })).status).toBe(401);
    expect((await attempt({ code: 'x' })).status).toBe(401);
    expect((await call('/session', { method: 'POST', json: { token: tenant.token } })).status).toBe(403);
  });

  test('is signed out after 30 minutes without a call, and when the service revokes the token', async () => {
    const idle = await signIn({ token: tenant.token });
    gateway.clock.now += 30 * MINUTE;
    expect((await call('/session', { headers: idle })).status).toBe(401);

    const about = { name: 'to revoke', role: 'admin' } as const;
    const { uuid, token } = await createToken(tenant.workspace, service.database, about, service.clock.now);
    const revoked = await signIn({ token });
    await revokeToken(tenant.workspace, service.database, uuid, service.clock.now);
    expect((await call('/v1/domains', { headers: revoked })).status).toBe(401);
    expect((await call('/session', { headers: revoked })).status).toBe(401);
  });
});

const check = (uuid: string, token: string) => call(`/v1/domains/${uuid}/check`, { method: 'POST', token });

describe('the DNS check', () => {
  test('is the gateway’s own, of the domain as the service describes it, and stores nothing', async () => {
    publishAddresses(dns, 'gate.test', { good: RIGHT_ADDRESS });
    const { workspace, token } = tenant;
    const names = Array.from({ length: 120 }, (_, index) => `a${index}.many.test`);
    for (const name of names) await importDomain(workspace, service.database, { name, dns: [] }, service.clock.now);
    const uuid = await importDomain(
      workspace,
      service.database,
      { name: 'gate.test', dns: createRequiredRecords('gate.test', ['good', 'gone']) },
      service.clock.now - MINUTE,
    );
    const before = await snapshotTenantData(tenant, service.database);
    const response = await check(uuid.toUpperCase(), token);
    expect(response.status).toBe(200);
    const text = (await response.text()).trim();
    const lines = text.split('\n').map((line) => CheckLine.parse(JSON.parse(line)));
    const results = lines.flatMap((line) =>
      line.kind === 'record' ? [`${line.record.name} ${line.finding.result}`] : [],
    );
    expect(results.toSorted()).toEqual(['gone.gate.test fail', 'good.gate.test ok']);
    const list = await service.call('/v1/domains?search=gate.test&per_page=100', { token });
    const { data } = (await list.json()) as { data: Domain[] };
    expect(lines.at(-1)).toMatchObject({ kind: 'end', domain: data.find((domain) => domain.uuid === uuid) });
    expect(await snapshotTenantData(tenant, service.database)).toBe(before);
    // One request for each page of the list that has to be read.
    expect(service.log.length).toBeLessThanOrEqual(3);
  });

  test('finds a domain again by its name, and asks what it is now each time', async () => {
    const { workspace, token } = tenant;
    const put = (hosts: string[]) =>
      importDomain(
        workspace,
        service.database,
        { name: 'again.test', dns: createRequiredRecords('again.test', hosts) },
        // Older than all the others, and so on the last page.
        service.clock.now - 2 * MINUTE,
      );
    const uuid = await put(['one']);
    expect(await (await check(uuid, token)).text()).toContain('one.again.test');
    await put(['two']);
    service.log.length = 0;
    const again = await (await check(uuid, token)).text();
    expect(again).toContain('two.again.test');
    expect(again).not.toContain('one.again.test');
    expect(service.log).toHaveLength(1);
  });

  test('is for who may read the domain only', async () => {
    expect((await check(tenant.domain, tenant.token)).status).toBe(200);
    expect((await check(tenant.domain, other.token)).status).toBe(404);
    expect((await check(tenant.domain, 'sr_wrong')).status).toBe(401);
    expect((await call(`/v1/domains/${tenant.domain}/check`, { method: 'POST' })).status).toBe(401);
  });
});

test('with ADDITIONS=off there are the five operations alone', async () => {
  await using bare = await startTestGateway({ upstream: service.url, settings: { ADDITIONS: 'off' } });
  const init = { token: tenant.token, method: 'POST' };
  expect((await callAt(bare.url, `/v1/domains/${tenant.domain}/check`, init)).status).toBe(404);
  expect((await callAt(bare.url, '/v1/domains', tenant)).status).toBe(200);
});

test('a gateway to a gateway is none to itself', async () => {
  await using first = await startTestGateway({ upstream: gateway.url });
  expect((await callAt(first.url, '/v1/domains', tenant)).status).toBe(200);
});
