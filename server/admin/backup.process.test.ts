import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database/openDatabase.ts';
import { findWorkspace } from '../workspaces/store.ts';
import { ndjson, startTestAdmin, type TestAdmin, writeUntilEnded } from '../testing/testAdmin.ts';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const TWO = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

test('a backup beside a service that writes is a whole database of one moment', async () => {
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
    err: 'The database holds no workspace: DATABASE_URL must be that of the service.\n',
  });
});

test('a backup overwrites no file', async () => {
  const file = await t.file('kept.txt', 'precious');
  expect(await t.admin(['backup', file])).toMatchObject({ code: 1, err: expect.stringContaining('exists already') });
  expect(await readFile(file, 'utf8')).toBe('precious');
});

test('of two backups to one file at once one succeeds, and is whole', async () => {
  const file = await t.file('backup.db');
  const before = await readdir(dirname(file));
  const said = await Promise.all([t.admin(['backup', file]), t.admin(['backup', file])]);
  expect(said.toSorted((a, b) => Number(a.code) - Number(b.code))).toMatchObject([
    { code: 0, err: '' },
    { code: 1, err: `${file} exists already: nothing is overwritten.\n` },
  ]);
  expect((await readdir(dirname(file))).toSorted()).toEqual([...before, 'backup.db'].toSorted());
  expect(await t.admin(['restore', '--verify', file])).toMatchObject({ code: 0 });
});

test('a backup into a folder that is not there fails in a sentence', async () => {
  const said = await t.admin(['backup', 'no/folder.db', '--json']);
  expect(said).toMatchObject({ code: 1, err: 'The folder of no/folder.db does not exist.\n' });
});
