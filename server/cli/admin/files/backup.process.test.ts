import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../../database/openDatabase.ts';
import { findWorkspace } from '../../../workspaces/store.ts';
import { ndjson, startTestAdmin, type TestAdmin, writeUntilEnded } from '../../../testing/processes/testAdmin.ts';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const TWO = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

test('a backup while the service writes is a whole database of one moment', async () => {
  await t.importFile('contacts', await t.file('in.ndjson', ndjson(TWO.map((uuid) => ({ uuid, attributes: {} })))));
  const file = await t.file('backup.db');
  let writes = 0;
  // Two contacts change together, in one transaction each time.
  const backup = await writeUntilEnded(t.admin(['backup', file, '--json']), () =>
    t.database.write(t.workspace, async ({ kysely: trx }) => {
      await trx.updateTable('contacts').set({ updated_at: ++writes }).where('uuid', 'in', TWO).execute();
    }),
  );
  expect(backup.result()).toEqual({ file, bytes: (await stat(file)).size });
  expect(writes).toBeGreaterThan(0);

  const copy = await openDatabase(`file:${file}`);
  try {
    expect(await findWorkspace(copy, t.workspace.uuid)).toEqual(t.workspace);
    const rows = await copy.unscoped.kysely
      .selectFrom('contacts')
      .select('updated_at')
      .where('uuid', 'in', TWO)
      .execute();
    expect(new Set(rows.map((row) => row.updated_at)).size).toBe(1);
  } finally {
    await copy.close();
  }
});

test('a backup of nothing is refused', async () => {
  const said = await t.admin(['backup', 'backup.db'], { url: `file:${await t.file('empty.db')}` });
  expect(said).toMatchObject({
    code: 1,
    err: 'The database has no workspace. Use the DATABASE_URL of the service.\n',
  });
});
