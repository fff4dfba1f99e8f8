import { expect, test, afterAll } from 'vitest';
import { startTestAdmin } from '../testing/testAdmin.ts';
import { createTestStorage } from '../testing/testDatabase.ts';
import { killServices, startService } from '../testing/testMain.ts';

// Processes on one PostgreSQL. What does not depend on the start of a process is in processes.postgres.test.ts.

afterAll(killServices);

test('processes that start at once on a new database make it once, and all of them serve', async () => {
  await using place = await createTestStorage();
  const started = await Promise.all([startService(place.url), startService(place.url)]);
  for (const service of started) {
    expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
    await service.kill();
  }
});

test('a backup is left to the server', async () => {
  await using t = await startTestAdmin();
  const said = await t.admin(['backup', 'copy.db']);
  expect(said).toMatchObject({
    code: 1,
    err: 'PostgreSQL has backups of its own: use pg_dump, or those of its host.\n',
  });
});
