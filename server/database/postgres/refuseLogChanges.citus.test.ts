import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { type Cluster, hostOf, onNode, startCluster } from '../../../testing/programs/citus.ts';
import { NOW } from '../../testing/testDatabase.ts';
import { createTwinTenants } from '../../testing/testTenants.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../openDatabase.ts';
import { refuseLogChanges } from './distribute.ts';

let cluster: Cluster;
let db: Database;
beforeAll(async () => {
  cluster = await startCluster(2, { fsync: 'off', 'citus.shard_count': '4' });
  db = await openDatabase(cluster.coordinator.url);
  await createTwinTenants(db, NOW);
}, 120_000);
afterAll(async () => {
  await db.close();
  await cluster.stop();
});

const MAY = ['update', 'delete', 'truncate']
  .map((act) => `has_table_privilege('sendroom', '%1$s', '${act}')`)
  .join(' or ');

/** The tables on other machines whose log the owner of the tables may change. */
async function listChangeable(): Promise<string[]> {
  const rows = await onNode(
    cluster.coordinator,
    `select shard_name as name, result from run_command_on_placements('changes', $$select ${MAY}$$)
      join citus_shards on citus_shards.shardid = run_command_on_placements.shardid
    union all
    select 'changes', result from run_command_on_workers($$select ${MAY.replaceAll('%1$s', 'changes')}$$)`,
  );
  expect(rows).toHaveLength(4 + cluster.workers.length);
  return rows.filter(({ result }) => result === 't').map(({ name }) => String(name));
}

/** Runs a statement on each part of the log, as the owner of the tables, directly on the machine that has it. */
async function runOnParts(statement: (table: string) => string): Promise<string[]> {
  const parts = await onNode(
    cluster.coordinator,
    `select shard_name as name, nodename as host from citus_shards where table_name = 'changes'::regclass`,
  );
  const said: string[] = [];
  for (const { name, host } of parts) {
    const worker = must(cluster.workers.find((one) => hostOf(one) === host));
    const client = new Client({ connectionString: worker.url });
    await client.connect();
    await client.query(`set sendroom.workspace = '*'`);
    // Citus itself refuses what comes from elsewhere than the coordinator, as long as nobody says otherwise.
    await client.query('set citus.enable_manual_changes_to_shards = on');
    const { message } = await client.query(statement(String(name))).then(
      () => ({ message: 'done' }),
      (error: unknown) => error as Error,
    );
    said.push(message);
    await client.end();
  }
  return said;
}

test('the log is append-only on other machines, also for the owner of the tables', async () => {
  expect(await listChangeable()).toEqual([]);
  for (const act of ['update %s set action = action', 'delete from %s', 'truncate %s']) {
    const said = await runOnParts((table) => act.replace('%s', table));
    expect(said).toHaveLength(4);
    for (const message of said) expect(message).toMatch(/permission denied/);
  }
});

test('it is again after a shard has moved, while the service runs', async () => {
  const [shard] = await onNode(
    cluster.coordinator,
    `select shardid as id, nodename as host from citus_shards where table_name = 'changes'::regclass order by 1`,
  );
  const [from, to] = cluster.workers.map(hostOf).toSorted((host) => (host === shard?.['host'] ? -1 : 1));
  await onNode(
    cluster.coordinator,
    `select citus_move_shard_placement(${String(shard?.['id'])}, '${from}', 5432, '${to}', 5432, 'block_writes')`,
  );
  expect(await listChangeable()).not.toEqual([]);
  await db.unscoped.write(refuseLogChanges);
  expect(await listChangeable()).toEqual([]);
});
