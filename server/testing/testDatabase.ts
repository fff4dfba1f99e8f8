import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject } from 'vitest';
import type { Caller, Workspace } from '../database/workspace.ts';
import { createWorkspace } from '../workspaces/store.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';

/** The engine of this run: the same tests run on both. */
export const ENGINE = inject('postgres') === undefined ? 'sqlite' : 'postgres';

/** Storage for a test, which is removed when the test ends. */
export type TestStorage = AsyncDisposable & {
  /** The address of an empty database. */
  url: string;
  folder: string;
};

export type TestDatabase = TestStorage & {
  db: Database;
  workspace: Workspace;
  /** With the same name and identity field as the first. */
  otherWorkspace: Workspace;
};

export const NOW = Date.UTC(2026, 10, 21, 9);

/** The caller that changes contacts in tests of the stores. */
export const CALLER = {
  token: { uuid: '00000000-0000-4000-8000-00000000000c', name: 'support' },
  requestId: '00000000-0000-4000-8000-0000000000ca',
} satisfies Caller;

/**
 * `isDurable` for tests about crashes: on PostgreSQL other tests run without syncing the disk. `isAlone` for those that others must not
 * disturb, who keep the server from removing what was deleted.
 */
export async function createTestStorage({ isDurable = false, isAlone = false } = {}): Promise<TestStorage> {
  const servers = inject('postgres');
  if (servers === undefined) return createFileStorage();
  const server = isDurable ? servers.durable : servers.quick;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  // A schema is created much sooner, but pgbouncer routes to databases only.
  const isDatabase = servers.isPooled || isAlone;
  const kind = isDatabase ? 'database' : 'schema';
  await onServer(server, `create ${kind} ${name}`);
  const { folder, [Symbol.asyncDispose]: removeFolder } = await createFileStorage();
  const url = new URL(server);
  if (isDatabase) url.pathname = name;
  else url.searchParams.set('options', `-c search_path=${name}`);
  return {
    url: url.href,
    folder,
    async [Symbol.asyncDispose]() {
      // The sessions of a pool stay. Others have ended, and by force a role may not end the server's own, such as autovacuum.
      const how = servers.isPooled ? 'with (force)' : '';
      await onServer(server, `drop ${kind} ${name} ${isDatabase ? how : 'cascade'}`);
      await removeFolder();
    },
  };
}

/** The address of the same database with settings of its sessions, such as `lock_timeout=200`. SQLite has none. */
export function withSettings(address: string, ...settings: string[]): string {
  if (ENGINE === 'sqlite') return address;
  const url = new URL(address);
  const all = [url.searchParams.get('options') ?? '', ...settings.map((setting) => `-c ${setting}`)];
  url.searchParams.set('options', all.join(' '));
  return url.href;
}

/** On SQLite, whatever the engine of this run. */
export async function createFileStorage(): Promise<TestStorage> {
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-test-'));
  return {
    url: `file:${join(folder, 'test.db')}`,
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function onServer(connectionString: string, sql: string): Promise<void> {
  const client = new Client({ connectionString, options: '-c client_min_messages=warning' });
  await client.connect();
  await client.query(sql);
  await client.end();
}

export async function openTestDatabase(options = {}): Promise<TestDatabase> {
  const place = await createTestStorage(options);
  const db = await openDatabase(place.url);
  const about = { name: 'Acme', identity_field: 'customer_id' };
  return {
    ...place,
    db,
    workspace: await createWorkspace(db, about, NOW),
    otherWorkspace: await createWorkspace(db, about, NOW),
    async [Symbol.asyncDispose]() {
      await db.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
