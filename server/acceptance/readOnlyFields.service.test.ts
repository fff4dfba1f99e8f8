import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';

// Fields that only the service writes: UUID, workspace, times and subscription of a contact.

let service: TestService;
let own: Tenant;
let other: Tenant;
let fields: Record<string, unknown>;

beforeAll(async () => {
  service = await startTestService();
  [own, other] = await createTwinTenants(service.database, service.clock.now);
  fields = {
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
  };
});
afterAll(() => service[Symbol.asyncDispose]());

function update(json: unknown): Promise<Response> {
  return service.call(`/v1/contacts/${own.contact}`, { method: 'POST', token: own.token, json });
}

async function read(): Promise<{ attributes: object; subscribed: boolean }> {
  const response = await service.call(`/v1/contacts/${own.contact}`, { token: own.token });
  return ((await response.json()) as { data: { attributes: object; subscribed: boolean } }).data;
}

test('beside the attributes each is refused by its name', async () => {
  const before = await snapshotTenantData(own, service.database);
  for (const [name, value] of Object.entries(fields)) {
    const response = await update({ attributes: { company: 'Other' }, [name]: value });
    expect([response.status, await response.json()], name).toMatchObject([422, { errors: [{ field: name }] }]);
  }
  expect(await snapshotTenantData(own, service.database)).toBe(before);
});

test('among the attributes each is a name like any other, and says nothing of the contact', async () => {
  const twin = await snapshotTenantData(other, service.database);
  const before = await read();
  service.clock.now += 1000;
  expect((await update({ attributes: fields })).status).toBe(200);
  expect(await read()).toEqual({
    ...before,
    attributes: { ...before.attributes, ...fields },
    updated_at: new Date(service.clock.now).toISOString(),
  });
  const list = await service.call('/v1/contacts?subscribed=true', { token: own.token });
  expect(await list.json()).toMatchObject({ meta: { total: 1 } });
  expect(await snapshotTenantData(other, service.database)).toBe(twin);
});
