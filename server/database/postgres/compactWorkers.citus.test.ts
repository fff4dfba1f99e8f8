import { execFileSync } from 'node:child_process';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { type Cluster, onNode, startCluster } from '../../../testing/programs/citus.ts';
import { putContacts } from '../../contacts/store.ts';
import { NOW } from '../../testing/testDatabase.ts';
import { createWorkspace } from '../../workspaces/store.ts';
import { deleteWorkspace } from '../../workspaces/deleteWorkspace.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../openDatabase.ts';

let cluster: Cluster;
let db: Database;
beforeAll(async () => {
  cluster = await startCluster(1, { fsync: 'off', 'citus.shard_count': '1' });
  db = await openDatabase(cluster.coordinator.url);
}, 120_000);
afterAll(async () => {
  await db.close();
  await cluster.stop();
});

const people = (company: string) =>
  Array.from({ length: 500 }, (_, at) => ({ attributes: { company, email: `${at}@${company}.example` } }));

/** Whether files of the database on another machine have a text. */
async function isInFiles(text: string): Promise<boolean> {
  const worker = must(cluster.workers[0]);
  await onNode(worker, 'checkpoint');
  const [place] = await onNode(
    worker,
    `select setting || '/base/' || oid as folder from pg_settings, pg_database
    where name = 'data_directory' and datname = current_database()`,
  );
  try {
    // A file may vanish meanwhile.
    execFileSync('grep', ['-srqaiF', text, String(place?.['folder'])]);
    return true;
  } catch {
    return false;
  }
}

test('nothing that was deleted is left on other machines, statistics included, once no transaction there sees it', async () => {
  const [kept, gone] = [
    await createWorkspace(db, { name: 'Kept', identity_field: null }, NOW),
    await createWorkspace(db, { name: 'Gone', identity_field: null }, NOW),
  ];
  await db.write(kept, (scope) => putContacts(scope, people('Stays'), NOW));
  await db.write(gone, (scope) => putContacts(scope, people('Vanishes'), NOW));
  await db.analyze();
  const url = new URL(must(cluster.workers[0]).superuserUrl);
  url.pathname = 'sendroom';
  const reader = new Client({ connectionString: url.href });
  reader.on('error', () => {});
  await reader.connect();
  await reader.query('begin isolation level repeatable read; select 1');
  await deleteWorkspace(gone, db, () => {});
  let isDone = false;
  const compacting = db.compact().finally(() => (isDone = true));
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  expect(isDone).toBe(false);
  await reader.query('rollback');
  await reader.end();
  await compacting;
  expect([await isInFiles('stays'), await isInFiles('vanishes')]).toEqual([true, false]);
}, 120_000);
