import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Caller, createWorkspace, type Workspace } from '../workspaces/store.ts';
import { type Database, openDatabase } from './database.ts';

/** A real database file of its own, gone when the test ends. */
export type TestDatabase = AsyncDisposable & {
  db: Database;
  url: string;
  folder: string;
  workspace: Workspace;
  /** With the same name and identity field as the first. */
  otherWorkspace: Workspace;
};

export const NOW = Date.UTC(2026, 10, 21, 9);

/** Whoever changes contacts in tests of the stores. */
export const CALLER: Caller = {
  token: { uuid: '00000000-0000-4000-8000-00000000000c', name: 'support' },
  requestId: '00000000-0000-4000-8000-0000000000ca',
};

export async function openTestDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-database-'));
  const url = `file:${join(folder, 'test.db')}`;
  const db = await openDatabase(url);
  const about = { name: 'Acme', identity_field: 'customer_id' };
  return {
    db,
    url,
    folder,
    workspace: await createWorkspace(db, about, NOW),
    otherWorkspace: await createWorkspace(db, about, NOW),
    async [Symbol.asyncDispose]() {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
