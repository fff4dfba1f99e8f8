import { expect, test } from 'vitest';
import { verifyWorkspace } from '../../server/cli/admin/verify.ts';
import { openTestDatabase } from '../../server/testing/testDatabase.ts';
import { createWorkspace } from '../../server/workspaces/store.ts';
import { fillFilters } from './contactFilters.ts';
import { fillContacts } from './contactStores.ts';
import { fillDomains } from './domainStores.ts';
import { START } from './stores.ts';

test.each([
  ['contacts', 2_000, fillContacts],
  ['domains', 100, fillDomains],
  ['filters', 2_000, fillFilters],
] as const)('a store of %s holds what the service would have written', async (_, count, fill) => {
  await using t = await openTestDatabase();
  const workspace = await createWorkspace(t.db, { name: 'bench', identity_field: null }, START);
  await fill(t.db, workspace, count);
  expect([...(await t.db.findFileErrors()), ...(await verifyWorkspace(workspace, t.db))]).toEqual([]);
});
