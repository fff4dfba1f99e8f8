import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';

// A console on another host calls the operations from a browser, which sends a preflight first.

const OURS = 'https://console.example.com';
const PREFLIGHT = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

let service: TestService;
let tenant: Tenant;
beforeAll(async () => {
  service = await startTestService({ settings: { CORS_ORIGINS: `${OURS}, http://localhost:8080` } });
  [tenant] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

const preflight = (path: string, origin: string) =>
  service.call(path, { method: 'OPTIONS', headers: { origin, ...PREFLIGHT } });

const corsOf = ({ headers }: Response) => [...headers].filter(([name]) => name.startsWith('access-control-'));

test.each([OURS, 'http://localhost:8080'])('a page of %s may call with a token', async (origin) => {
  const asked = await preflight('/v1/domains', origin);
  expect(asked.status).toBe(204);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    vary: 'origin',
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': 'authorization, content-type, if-none-match, sendroom-run',
    'x-content-type-options': 'nosniff',
  });
  expect(asked.headers.has('access-control-allow-credentials')).toBe(false);

  const response = await service.call('/v1/domains', { token: tenant.token, headers: { origin } });
  expect(response.status).toBe(200);
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  expect(response.headers.get('access-control-expose-headers')).toBe('date, etag, retry-after, x-request-id');
});

test('it can read why a call is refused', async () => {
  for (const path of ['/v1/domains', '/v1/nothing', '/v1/domains?page=x']) {
    const response = await service.call(path, { headers: { origin: OURS } });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.headers.get('access-control-allow-origin')).toBe(OURS);
  }
});

test.each([
  'https://evil.example',
  'https://console.example.com.evil.example',
  'http://console.example.com',
  'https://console.example.com:8443',
  'null',
])('a page of %s may not', async (origin) => {
  const asked = await preflight('/v1/domains', origin);
  expect([asked.status, corsOf(asked), asked.headers.get('vary')]).toEqual([405, [], 'origin']);
  expect(corsOf(await service.call('/v1/domains', { token: tenant.token, headers: { origin } }))).toEqual([]);
});

test('sessions and everything else are for our own pages', async () => {
  for (const path of ['/session', '/openapi.json', '/healthz']) expect(corsOf(await preflight(path, OURS))).toEqual([]);
  const headers = { origin: OURS, 'sendroom-console': '1' };
  expect((await service.call('/session', { method: 'POST', json: { token: tenant.token }, headers })).status).toBe(403);
});

test('without the setting nobody may', async () => {
  await using closed = await startTestService();
  const headers = { origin: OURS, ...PREFLIGHT };
  const asked = await closed.call('/v1/domains', { method: 'OPTIONS', headers });
  expect([asked.status, corsOf(asked), asked.headers.get('vary')]).toEqual([405, [], null]);
});
