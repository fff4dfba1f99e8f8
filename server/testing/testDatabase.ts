import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Caller, Workspace } from '../database/workspace.ts';
import { createWorkspace } from '../workspaces/store.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { type Migration, migrations } from '../database/schema/schema.ts';

export const ENGINE = inject('postgres') === undefined ? 'sqlite' : 'postgres';

export type TestStorage = AsyncDisposable & {
  url: string;
  folder: string;
};

export type TestDatabase = TestStorage & {
  db: Database;
  workspace: Workspace;
  otherWorkspace: Workspace;
};

export const NOW = Date.UTC(2026, 10, 21, 9);

export const CALLER = {
  token: { uuid: '00000000-0000-4000-8000-00000000000c', name: 'support' },
  requestId: '00000000-0000-4000-8000-0000000000ca',
} satisfies Caller;

/** `isDurable` for crash tests: others run without syncing. `isAlone`: no other test keeps the server from removing deleted rows. */
export async function createTestStorage({ isDurable = false, isAlone = false } = {}): Promise<TestStorage> {
  const servers = inject('postgres');
  if (servers === undefined) return createFileStorage();
  // A schema is faster, but pgbouncer routes to databases.
  const isDatabase = servers.isPooled || isAlone;
  return createOnServer(isDurable ? servers.durable : servers.quick, isDatabase ? 'database' : 'schema', '');
}

/** Steps of the schema that a later version would have, until the test ends. */
export function addMigrations(...steps: Migration[]): void {
  const { length } = migrations;
  migrations.push(...steps);
  onTestFinished(() => void (migrations.length = length));
}

export async function createMigratedStorage(
  options: { isDurable?: boolean; isAlone?: boolean } = {},
): Promise<TestStorage> {
  const servers = inject('postgres');
  if (servers === undefined) {
    const place = await createFileStorage();
    await copyFile(await migratedFile(), join(place.folder, 'test.db'));
    return place;
  }
  if (options.isDurable || servers.template === null) return createTestStorage(options);
  return createOnServer(servers.quick, 'database', `template ${servers.template}`);
}

let migrated: Promise<string> | null = null;
function migratedFile(): Promise<string> {
  migrated ??= (async () => {
    const { url, folder } = await createFileStorage();
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const database = await openDatabase(url);
    await database.close();
    return join(folder, 'test.db');
  })();
  return migrated;
}

async function createOnServer(server: string, kind: 'schema' | 'database', how: string): Promise<TestStorage> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `create ${kind} ${name} ${how}`);
  const { folder, [Symbol.asyncDispose]: removeFolder } = await createFileStorage();
  const url = new URL(server);
  if (kind === 'database') url.pathname = name;
  else url.searchParams.set('options', `-c search_path=${name}`);
  return {
    url: url.href,
    folder,
    async [Symbol.asyncDispose]() {
      // A pool's sessions stay. A role may not end the server's own, such as autovacuum, by force.
      const isPooled = inject('postgres')?.isPooled;
      await onServer(server, `drop ${kind} ${name} ${kind === 'schema' ? 'cascade' : isPooled ? 'with (force)' : ''}`);
      await removeFolder();
    },
  };
}

export function withSettings(address: string, ...settings: string[]): string {
  if (ENGINE === 'sqlite') return address;
  const url = new URL(address);
  const all = [url.searchParams.get('options') ?? '', ...settings.map((setting) => `-c ${setting}`)];
  url.searchParams.set('options', all.join(' '));
  return url.href;
}

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

export async function openTestDatabase(
  options: { isDurable?: boolean; isAlone?: boolean } = {},
): Promise<TestDatabase> {
  const place = await createMigratedStorage(options);
  const db = await openDatabase(place.url);
  const about = { name: 'Acme', identity_field: 'customer_id' };
  return {
    ...place,
    db,
    workspace: await createWorkspace(db, about, NOW),
    // Later, because ids say nothing about the order.
    otherWorkspace: await createWorkspace(db, about, NOW + 1),
    async [Symbol.asyncDispose]() {
      await db.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
