import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());

test('an admin is told when somebody was erased, by any spelling of an identity, and nobody else is', async () => {
  const { database, clock } = service;
  const [own, other] = [
    await createWorkspace(database, { name: 'Acme', identity_field: null }, clock.now),
    await createWorkspace(database, { name: 'Other', identity_field: null }, clock.now),
  ];
  const as = async (workspace: typeof own, role: 'admin' | 'editor' | 'ingest' | 'read') =>
    (await createToken(workspace, database, { name: role, role }, clock.now)).token;
  const token = await as(own, 'admin');
  const post = (path: string, json: unknown) => service.call(path, { method: 'POST', token, json });
  await post('/v1/contacts', { attributes: { email: 'ida.roe@north.example', phone: '+44 20 7946 0001' } });
  const ask = async (identity: string, by = token) => {
    const response = await service.call(`/v1/erased-identities/${encodeURIComponent(identity)}`, { token: by });
    return response.status === 200
      ? ((await response.json()) as { data: { erased_at: string | null } }).data
      : response.status;
  };
  expect(await ask('ida.roe@north.example')).toEqual({ erased_at: null });
  const erased = await post('/v1/contacts/ida.roe@north.example/erasure', { identity: 'ida.roe@north.example' });
  expect(erased.status).toBe(200);

  const told = { erased_at: new Date(clock.now).toISOString() };
  for (const name of ['ida.roe@north.example', ' IDA.ROE@north.example ', '+44 20 7946 0001']) {
    expect(await ask(name), name).toEqual(told);
  }
  // An international domain, and its ASCII form.
  const [unicode, ascii] = ['ida@bücher.example', 'ida@xn--bcher-kva.example'];
  await post('/v1/contacts', { attributes: { email: unicode } });
  const erasure = await post(`/v1/contacts/${encodeURIComponent(ascii)}/erasure`, { identity: unicode });
  expect(erasure.status).toBe(200);
  for (const name of [unicode, ascii]) expect(await ask(name), name).toEqual(told);
  expect((await post('/v1/contacts', { attributes: { email: ascii } })).status).toBe(422);

  expect(await ask('ida@north.example')).toEqual({ erased_at: null });
  expect(await ask('ida.roe@north.example', await as(other, 'admin'))).toEqual({ erased_at: null });
  for (const role of ['read', 'editor', 'ingest'] as const) {
    expect(await ask('ida.roe@north.example', await as(own, role)), role).toBe(403);
  }
});
