import { stat } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
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

test.for<[what: string, spoil: string]>([
  ['a table that is not ours', 'create table _litestream_seq (id integer primary key, seq integer)'],
  ['a trigger', 'create trigger sneaky after insert on tokens begin select 1; end'],
  ['a value that is never written', `update workspaces set suspended = 5`],
  ['a wrong counter', 'update contacts set change_count = 7'],
])('a backup of a database with %s is refused like its restore, and kept', async ([, spoil]) => {
  await t.importFile('contacts', await t.file('in.ndjson', ndjson(TWO.map((uuid) => ({ uuid, attributes: {} })))));
  const database = new DatabaseSync(t.url.slice('file:'.length), { timeout: 10_000 });
  database.exec(spoil);
  database.close();
  const file = await t.file('backup.db');
  const backup = await t.admin(['backup', file]);
  const restore = await t.admin(['restore', '--verify', file]);
  expect(restore).toMatchObject({ code: 1, err: expect.stringMatching(/ has errors: \d+\.\n$/) });
  const kept = " It's kept, but restore refuses it. The database has the same errors.\n";
  expect(backup).toMatchObject({ code: 1, out: '', err: restore.err.replace(/\n$/, kept) });
  expect(await t.database.unscoped.kysely.selectFrom('backups').selectAll().execute()).toEqual([]);
});
