import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { findInconsistencies } from '../admin/check.ts';
import { putContacts } from '../contacts/store.ts';
import type { Workspace } from '../database/workspace.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

// An erased person is refused in whatever field and grouping of digits they come back.

const ANNA = { email: 'Anna.Erased@x.test', phone: '+49 30 5550123', customer_id: 'C-100777' };
const ERASED = 'This person was erased on 21 November 2026. An admin can lift that.';

let service: TestService;
let workspace: Workspace;
let token: string;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  const { database, clock } = service;
  workspace = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, clock.now);
  ({ token } = await createToken(workspace, database, { name: 'boss', role: 'admin' }, clock.now));
  await post('/v1/contacts', { attributes: ANNA });
});

async function post(path: string, json: unknown): Promise<{ status: number; body: unknown }> {
  const response = await service.call(path, { method: 'POST', token, json });
  return { status: response.status, body: await response.json() };
}

const at = (contact: string) => `/v1/contacts/${encodeURIComponent(contact)}`;
const erase = () => post(`${at(ANNA.email)}/erasure`, { identity: ANNA.email });
const check = () => findInconsistencies(workspace, service.database);

test.each([
  ['phone', 'anna.erased@x.test'],
  ['phone', ' ANNA.erased@X.test'],
  ['customer_id', 'anna.erased@x.test'],
  ['customer_id', ANNA.phone],
  ['phone', ANNA.customer_id],
  ['phone', '+49305550123'],
  ['phone', '0049 (0)30/555-0123'],
  ['customer_id', '+49.30.555.0123'],
])('an erased person is refused where the %s is %s', async (field, value) => {
  await post('/v1/contacts', { attributes: { email: 'bert@x.test' } });
  await erase();
  const attributes = { [field]: value };
  const errors = [{ field: `attributes.${field}`, message: ERASED }];
  const refused = { status: 422, body: { errors } };
  expect(await post('/v1/contacts', { attributes })).toMatchObject(refused);
  expect(await post('/v1/contacts?upsert', { attributes })).toMatchObject(refused);
  expect(await post(at('bert@x.test'), { attributes })).toMatchObject(refused);
  const rows = [{ attributes }, { attributes: { email: 'bert@x.test', ...attributes } }];
  expect(await service.database.write(workspace, (scope) => putContacts(scope, rows, 0))).toEqual([errors, errors]);
  const event = { event_name: 'opened', created_at: '2026-01-31T09:30:00Z' };
  expect(await post(`${at(value)}/events`, event)).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'contact', message: ERASED }] },
  });
  expect(await check()).toEqual([]);
  expect(await post('/v1/erasures/lift', { identity: value, reason: 'Signed up again' })).toMatchObject({
    body: { data: { lifted: true } },
  });
  expect((await post('/v1/contacts', { attributes })).status).toBe(200);
  expect(await check()).toEqual([]);
});

test('a contact that has the same number, or the same in another field, keeps it when the person is erased', async () => {
  const others = [{ phone: '+49305550123' }, { phone: ANNA.email.toLowerCase() }, { customer_id: ANNA.phone }];
  for (const attributes of others) expect((await post('/v1/contacts', { attributes })).status).toBe(200);
  expect((await erase()).status).toBe(200);
  expect(await check()).toEqual([]);
  for (const attributes of others) {
    const row = { attributes: { ...attributes, company: 'Acme' } };
    expect(await service.database.write(workspace, (scope) => putContacts(scope, [row], 0))).toEqual(['changed']);
  }
  // As it is written, it is that of the person.
  expect((await post('/v1/contacts', { attributes: { phone: ANNA.phone } })).status).toBe(422);
  expect((await post('/v1/contacts', { attributes: { phone: '+49 305550123' } })).status).toBe(200);
  expect(await check()).toEqual([]);
});

test('who had the same number in two groupings is refused by it once', async () => {
  await post(at(ANNA.email), { attributes: { phone: '+49 305 550 123' } });
  expect(await erase()).toMatchObject({ body: { data: { identities: 3 } } });
  expect(await check()).toEqual([]);
});
