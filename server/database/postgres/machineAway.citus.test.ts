import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { type Cluster, hostOf, onNode, startCluster } from '../../../testing/programs/citus.ts';
import { toProblemError } from '../../http/problems.ts';
import { recordEvent } from '../../contacts/events/ingest.ts';
import { putContacts } from '../../contacts/store.ts';
import { CALLER, NOW } from '../../testing/testDatabase.ts';
import { createToken, createWorkspace } from '../../workspaces/store.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../openDatabase.ts';
import type { Scope } from '../scope.ts';
import type { Workspace } from '../workspace.ts';

// A worker is killed: requests of its workspaces get a clear error, those of others go on. What concerns two machines is kept on both or none.

let folder: string;
let cluster: Cluster;
let db: Database;
/** One on the worker that is killed, and one on the other. */
let own: Workspace;
let other: Workspace;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendroom-away-'));
  chmodSync(folder, 0o755);
  cluster = await startCluster(2, { fsync: 'off', 'citus.shard_count': '8' }, folder);
  db = await openDatabase(cluster.coordinator.url, { isService: true });
  const found = new Map<string, Workspace>();
  while (found.size < 2) {
    const workspace = await createWorkspace(db, { name: 'Acme', identity_field: null }, NOW);
    found.set(await placeOf(workspace), workspace);
  }
  own = must(found.get(hostOf(must(cluster.workers[0]))));
  other = must(found.get(hostOf(must(cluster.workers[1]))));
}, 120_000);
afterAll(async () => {
  await db.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function placeOf({ id }: Workspace): Promise<string> {
  const shard = `get_shard_id_for_distribution_column('workspace_heads', ${id})`;
  const [row] = await onNode(
    cluster.coordinator,
    `select nodename from pg_dist_shard_placement where shardid = ${shard}`,
  );
  return String(row?.['nodename']);
}

const nothing = () => Promise.resolve();
const kill = () => cluster.kill(must(cluster.workers[0]));
const put = (scope: Scope, email: string) => putContacts(scope, [{ attributes: { email } }], NOW);
const texts = async (workspace: Workspace) => {
  const rows = await db.read(workspace, (scope) => scope.select('contacts').select('attributes').execute(), {
    isSingle: true,
  });
  return rows.map(({ attributes }) => JSON.stringify(attributes)).join();
};

/** The response to a request that changes something and fails. */
async function problemOf(work: Promise<unknown>) {
  const error = await work.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  );
  const problem = must(toProblemError(error, 'POST'));
  return { status: problem.status, retryAfter: problem.headers['retry-after'], detail: problem.message };
}

test('a write whose commit the worker did not confirm is uncertain', async () => {
  let start = nothing;
  const write = db.write(own, async (scope) => {
    await put(scope, 'lost@example.com');
    start = await kill();
  });
  expect(await problemOf(write)).toEqual({
    status: 503,
    retryAfter: '2',
    detail: expect.stringContaining('look whether the change was made') as string,
  });
  await start();
  await db.write(own, (scope) => put(scope, 'after@example.com'));
});

test('a write that a worker breaks off in the middle changes nothing', async () => {
  let start = nothing;
  const write = db.write(own, async (scope) => {
    await put(scope, 'first@example.com');
    start = await kill();
    await put(scope, 'second@example.com');
  });
  const detail = expect.stringContaining('Nothing was changed') as string;
  expect(await problemOf(write)).toEqual({ status: 503, retryAfter: '2', detail });
  await start();
  expect(await texts(own)).not.toMatch(/first@|second@/);
});

async function waitForStandby(name: string): Promise<void> {
  await onNode(cluster.coordinator, `alter system set synchronous_standby_names = '${name}'`);
  await onNode(cluster.coordinator, 'select pg_reload_conf()');
  const isSet = () => onNode(cluster.coordinator, 'show synchronous_standby_names');
  await expect.poll(isSet).toEqual([{ synchronous_standby_names: name }]);
  // It is taken over by the process that does this.
  await onNode(cluster.coordinator, 'checkpoint');
}

const prepared = () => onNode(must(cluster.workers[0]), 'select from pg_prepared_xacts');

test('a write on the coordinator and a worker is prepared there before it is committed here', async () => {
  // A commit on the coordinator waits for one that doesn't exist.
  await waitForStandby('nobody');
  const made = createToken(own, db, { name: 'support', role: 'admin' }, NOW);
  await expect.poll(prepared).toHaveLength(1);
  await waitForStandby('');
  await made;
  expect(await prepared()).toHaveLength(0);
});

/** The sessions of the service on the coordinator. */
async function sessions(): Promise<unknown[]> {
  const rows = await onNode(
    cluster.coordinator,
    `select pid from pg_stat_activity where application_name = 'sendroom'`,
  );
  return rows.map(({ pid }) => pid);
}

test('other workspaces go on while a worker is away, and no connection to the coordinator is lost', async () => {
  await Promise.all([texts(own), texts(other), db.write(other, (scope) => put(scope, 'someone@example.com'))]);
  const before = await sessions();
  const start = await kill();
  for (let time = 0; time < 20; time++) {
    // Single statements share a connection.
    const [away, found, written] = await Promise.allSettled([
      problemOf(texts(own)),
      texts(other),
      db.write(other, (scope) => put(scope, `c${time}@example.com`)),
    ]);
    expect(away).toMatchObject({ value: { status: 503, retryAfter: '2' } });
    expect([found.status, written.status]).toEqual(['fulfilled', 'fulfilled']);
    expect(await recordEvent(other, db, 'someone@example.com', { event_name: `e${time}` }, CALLER, NOW)).toBe(true);
  }
  expect(await sessions()).toEqual(expect.arrayContaining(before));
  await start();
  await texts(own);
});
