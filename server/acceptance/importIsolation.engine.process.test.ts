import { expect, test } from 'vitest';
import { ndjson, startTestAdmin } from '../testing/testAdmin.ts';
import { createTwinTenants, snapshotTenantData } from '../testing/testTenants.ts';

test('what the command imports under a UUID of another workspace is in the one that it names, and changes nothing there', async () => {
  await using t = await startTestAdmin();
  const [twin] = await createTwinTenants(t.database, Date.now());
  const before = await snapshotTenantData(twin, t.database);
  for (const [resource, row] of [
    ['contacts', { uuid: twin.contact, attributes: { first_name: 'Ours' } }],
    ['events', { contact: twin.contact, event_name: 'Ours', created_at: '2026-11-21T09:00:00.000Z' }],
    ['domains', { uuid: twin.domain, name: 'ours.example.com' }],
    ['addresses', { domain_uuid: twin.domain, address: 'ours' }],
  ] as const) {
    const said = await t.importFile(resource, await t.file(`${resource}.ndjson`, ndjson([row])));
    expect(said.result(), resource).toMatchObject({ added: 1 });
  }
  expect(await snapshotTenantData(twin, t.database)).toBe(before);
});
