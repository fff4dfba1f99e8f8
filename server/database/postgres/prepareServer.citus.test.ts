import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cluster, onNode, startCluster } from '../../../testing/programs/citus.ts';
import { NOW } from '../../testing/testDatabase.ts';
import { createWorkspace } from '../../workspaces/store.ts';
import { openDatabase } from '../openDatabase.ts';
import { DISTRIBUTED_TABLES } from './distribute.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster(1, { fsync: 'off', 'citus.shard_count': '1' });
}, 120_000);
afterAll(() => cluster.stop());

const run = (text: string) => onNode(cluster.coordinator, text);
const open = () => openDatabase(cluster.coordinator.url, { isService: true });
const distributed = async () => (await run(`select from pg_dist_partition where partmethod = 'h'`)).length;

test('a service distributes what one before it, which ended in the middle of its start, has not', async () => {
  // Its schema is complete then, and nothing is distributed.
  await run('revoke execute on function create_distributed_table from public');
  await expect(open()).rejects.toThrow();
  await run('grant execute on function create_distributed_table to public');
  expect(await distributed()).toBe(0);
  const first = await open();
  expect(await distributed()).toBe(DISTRIBUTED_TABLES.length);
  await createWorkspace(first, { name: 'Acme', identity_field: null }, NOW);
  await first.close();

  // As a table of a new step of the schema.
  await run(`select undistribute_table('saved_views')`);
  expect(await distributed()).toBe(DISTRIBUTED_TABLES.length - 1);
  await (await open()).close();
  expect(await distributed()).toBe(DISTRIBUTED_TABLES.length);
  expect(await run(`select relname from pg_class where relname = 'saved_views' and not relforcerowsecurity`)).toEqual(
    [],
  );
});
