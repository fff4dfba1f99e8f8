import { mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkspace } from '../../workspaces/store.ts';
import { openDatabase } from '../openDatabase.ts';
import { verifyBackup } from './verifyBackup.ts';

let folder: string;
let copy: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-copy-'));
  copy = join(folder, 'copy.db');
  const database = await openDatabase(`file:${join(folder, 'source.db')}`);
  await createWorkspace(database, { name: 'Acme', identity_field: null }, 0);
  await database.backup(copy);
  await database.close();
});
afterEach(() => rm(folder, { recursive: true }));

test('a whole copy has no faults, and looking at it leaves nothing behind', async () => {
  expect(await verifyBackup(copy)).toEqual([]);
  expect((await readdir(folder)).filter((name) => name.startsWith('copy'))).toEqual(['copy.db']);
});

test('a page that was overwritten and a file that was cut off are found', async () => {
  const file = await open(copy, 'r+');
  try {
    await file.write(Buffer.alloc(4096, 0xff), 0, 4096, 8192);
    expect(await verifyBackup(copy)).not.toEqual([]);
    await file.truncate(4096 * 3);
    expect(await verifyBackup(copy)).not.toEqual([]);
    await file.truncate(100);
    expect(await verifyBackup(copy)).not.toEqual([]);
  } finally {
    await file.close();
  }
});
