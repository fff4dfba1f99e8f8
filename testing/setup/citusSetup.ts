import type { TestProject } from 'vitest/node';
import { describeMissingCitus, startCluster } from '../programs/citus.ts';

/** Vitest calls this before the first test on Citus, and the returned function after the last. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_CITUS_URL;
  if (given) {
    project.provide('postgres', { quick: given, durable: given, template: null, isPooled: false });
    return async () => {};
  }
  const missing = describeMissingCitus();
  if (missing !== null) throw new Error(missing);
  // Tests distribute the tables of many databases: two shards of each take a third of the time of 32.
  const cluster = await startCluster(2, {
    fsync: 'off',
    jit: 'off',
    'citus.shard_count': '2',
    // Otherwise dropping a schema locks a table of every other schema, and two at once deadlock.
    'citus.enable_local_reference_table_foreign_keys': 'off',
  });
  const { url } = cluster.coordinator;
  project.provide('postgres', { quick: url, durable: url, template: null, isPooled: false });
  return cluster.stop;
}
