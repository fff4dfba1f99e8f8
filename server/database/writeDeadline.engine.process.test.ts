import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../testing/testTenants.ts';
import type { Database } from './database.ts';
import { openDatabase } from './openDatabase.ts';
import { createTestStorage } from '../testing/testDatabase.ts';

let service: TestService;
let elsewhere: Database;
let tenant: Tenant;
beforeEach(async () => {
  const place = await createTestStorage();
  service = await startTestService({ place });
  elsewhere = await openDatabase(place.url);
  [tenant] = await createTwinTenants(service.database, service.clock.now);
});
afterEach(async () => {
  await elsewhere.close();
  await service[Symbol.asyncDispose]();
});

test('writes that wait for another process are all given up when their own time is over, and none of them was begun', async () => {
  const unsubscribe = async () => {
    const started = performance.now();
    const path = `/v1/workspaces/${tenant.workspace.uuid}/contacts/${tenant.contact}/unsubscribe`;
    const response = await service.call(path, { method: 'POST', token: tenant.token });
    return { status: response.status, again: response.headers.get('retry-after'), took: performance.now() - started };
  };
  await elsewhere.write(tenant.workspace, async () => {
    const answers = await Promise.all([unsubscribe(), unsubscribe(), unsubscribe()]);
    for (const { status, again } of answers) expect([status, again]).toEqual([503, '2']);
    // Before, they took 10, 20 and 30 seconds.
    for (const { took } of answers) expect(took).toBeLessThan(15_000);
  });
  const contact = await service.call(`/v1/contacts/${tenant.contact}`, { token: tenant.token });
  expect(await contact.json()).toMatchObject({ data: { subscribed: true } });
  expect(await unsubscribe()).toMatchObject({ status: 200 });
});
