import { expect, test, vi } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { startTestService } from '../testing/testService.ts';
import { createTwinTenants } from '../testing/testTenants.ts';
import { createToken } from '../workspaces/store.ts';
import { OVERLOAD_PROBLEM } from './limits/concurrencyLimiter.ts';
import { OverloadControl } from './limits/overloadControl.ts';

test('beyond its requests a minute a token is asked to wait, and another is not', async () => {
  await using service = await startTestService({ settings: { RATE_LIMIT: '5' } });
  const [own, other] = await createTwinTenants(service.database, service.clock.now);
  const list = (token: string) => service.call('/v1/domains', { token });
  for (let count = 0; count < 5; count++) expect((await list(own.token)).status).toBe(200);

  const response = await list(own.token);
  expect(response.status).toBe(429);
  const seconds = Number(response.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(Problem.parse(await response.json()).detail).toBe(`Too many requests. Try again in ${seconds} seconds.`);
  expect((await list(other.token)).status).toBe(200);
});

test('all tokens of a workspace together make ten times as many requests, and another workspace has its own', async () => {
  await using service = await startTestService({ settings: { RATE_LIMIT: '2' } });
  const { database, clock } = service;
  const [own, other] = await createTwinTenants(database, clock.now);
  const statuses: number[] = [];
  for (let index = 0; index < 11; index++) {
    const { token } = await createToken(own.workspace, database, { name: `minted ${index}`, role: 'read' }, clock.now);
    // What is over the limit of the token does not count for the others.
    for (let count = 0; count < 3; count++) statuses.push((await service.call('/v1/domains', { token })).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => [200, 200, 429]).flat(), 429, 429, 429]);
  expect((await service.call('/v1/domains', { token: other.token })).status).toBe(200);
  // Writes are counted by themselves.
  const path = `/v1/workspaces/${own.workspace.uuid}/contacts/${own.contact}/unsubscribe`;
  expect((await service.call(path, { method: 'POST', token: own.token })).status).toBe(200);
});

test('a HEAD and a DNS check are reads, as a list is', async () => {
  await using service = await startTestService({ settings: { RATE_LIMIT: '2' } });
  const [{ token, workspace, contact, domain }] = await createTwinTenants(service.database, service.clock.now);
  const check = () => service.call(`/v1/domains/${domain}/check`, { method: 'POST', token });
  expect((await service.call('/v1/domains', { method: 'HEAD', token })).status).toBe(200);
  const checked = await check();
  expect(checked.status).toBe(200);
  await checked.text();
  expect((await service.call('/v1/domains', { token })).status).toBe(429);
  expect((await check()).status).toBe(429);
  const path = `/v1/workspaces/${workspace.uuid}/contacts/${contact}/unsubscribe`;
  for (let count = 0; count < 2; count++)
    expect((await service.call(path, { method: 'POST', token })).status).toBe(200);
});

test('who fails to authenticate too often is asked to wait, but a valid token from the same address is served', async () => {
  await using service = await startTestService({ settings: { RATE_LIMIT: '0' } });
  const [own] = await createTwinTenants(service.database, service.clock.now);
  const headers = { 'sendroom-console': '1' };
  const signIn = (json: object) => service.call('/session', { method: 'POST', json, headers });
  for (let count = 0; count < 30; count++) {
    expect((await service.call('/v1/domains', { token: 'wrong' })).status).toBe(401);
    expect((await signIn({ token: 'wrong' })).status).toBe(401);
  }
  const response = await service.call('/v1/domains', { token: 'wrong' });
  expect(response.status).toBe(429);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await signIn({ code: 'x' })).status).toBe(429);
  // And without a limit it has none.
  for (let count = 0; count < 70; count++) {
    expect((await service.call('/v1/domains', { token: own.token })).status).toBe(200);
  }
});

test('an address that a caller says of itself counts only where a proxy is trusted', async () => {
  for (const [TRUST_PROXY, last] of [
    ['', 429],
    ['127.0.0.1', 401],
  ] as const) {
    await using service = await startTestService({ settings: { RATE_LIMIT: '0', TRUST_PROXY } });
    const fail = async (index: number) => {
      const address = `192.0.2.${index}`;
      const headers = { 'x-forwarded-for': address, 'x-real-ip': address, forwarded: `for=${address}` };
      return (await service.call('/v1/domains', { token: 'wrong', headers })).status;
    };
    for (let index = 0; index < 60; index++) expect(await fail(index)).toBe(401);
    expect(await fail(60)).toBe(last);
  }
});

test.each([-3_600_000, 3_600_000])(
  'a clock that jumps by %d ms neither keeps nor frees those at their limit',
  async (by) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    using clock = new DisposableStack();
    clock.defer(() => void vi.useRealTimers());
    await using service = await startTestService({ settings: { RATE_LIMIT: '5' } });
    const [{ token }] = await createTwinTenants(service.database, service.clock.now);
    for (let count = 0; count < 5; count++) await service.call('/v1/domains', { token });
    for (const jump of [0, by]) {
      vi.setSystemTime(Date.now() + jump);
      const { status, headers } = await service.call('/v1/domains', { token });
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    }
  },
);

test('requests and bodies are read in turns of their token or address, and lists are refused first', async () => {
  const requests = vi.spyOn(OverloadControl.prototype, 'schedule');
  const bodies = vi.spyOn(OverloadControl.prototype, 'scheduleParse');
  const refusing = vi.spyOn(OverloadControl.prototype, 'rejectIfOverloaded').mockImplementation((kind) => {
    if (kind === 'read') throw OVERLOAD_PROBLEM;
  });
  using restored = new DisposableStack();
  restored.defer(() => void [requests, bodies, refusing].map((spy) => spy.mockRestore()));
  await using service = await startTestService();
  const [{ token, workspace, contact }] = await createTwinTenants(service.database, service.clock.now);
  const refused = await service.call('/v1/contacts', { token });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  expect(Problem.parse(await refused.json()).detail).toMatch(/^The service is overloaded\./);
  const path = `/v1/workspaces/${workspace.uuid}/contacts/${contact}/unsubscribe`;
  expect((await service.call(path, { method: 'POST', token, json: {} })).status).toBe(200);
  const headers = { 'sendroom-console': '1', 'x-forwarded-for': '192.0.2.1' };
  await service.call('/session', { method: 'POST', json: {}, headers });
  expect(requests.mock.calls.map(([{ url }]) => url)).toEqual(['/v1/contacts', path, '/session']);
  const clients = bodies.mock.calls.map(([client]) => client);
  expect(clients).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), '192.0.2.1']);
});
