import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { type PostgresServer, type Settings, startPostgres } from './postgres.ts';
import { findPrograms } from './postgresPrograms.ts';

// Citus: a coordinator and workers on this machine, for tests and drills. Debian has no package of it.

/** Where there is no `TEST_CITUS_URL` and no Citus next to PostgreSQL, one sentence that says so; else null. */
export function describeMissingCitus(): string | null {
  if (process.env.TEST_CITUS_URL) return null;
  const programs = findPrograms();
  const { stdout } = spawnSync(join(programs ?? '', 'pg_config'), ['--sharedir'], { encoding: 'utf8' });
  if (programs !== null && stdout && existsSync(join(stdout.trim(), 'extension/citus.control'))) return null;
  return 'Nothing runs on many machines, because PostgreSQL has no extension Citus here (https://docs.citusdata.com/en/stable/installation/multi_node.html).';
}

export type Cluster = {
  coordinator: PostgresServer;
  workers: PostgresServer[];
  /** Adds the workers to a database that has the extension on each node. */
  join: (database: string) => Promise<void>;
  /** Ends a node of a kept cluster with `SIGKILL`. The returned function starts it again on its data. */
  kill: (node: PostgresServer) => Promise<() => Promise<void>>;
  stop: () => Promise<void>;
};

const NODE: Settings = { shared_preload_libraries: 'citus', wal_level: 'logical', max_prepared_transactions: '300' };

/** Starts a coordinator with an empty database and its extension, and as many workers. With `kept`, their data stay in that folder. */
export async function startCluster(count: number, more: Settings = {}, kept?: string): Promise<Cluster> {
  const settings = { ...NODE, ...more };
  const start = (name: string) => startPostgres(settings, kept && join(kept, name));
  const coordinator = await start('coordinator');
  const workers: PostgresServer[] = [];
  for (let at = 1; at <= count; at++) workers.push(await start(`worker${at}`));
  const joinAll = async (database: string) => {
    const set = (sql: string) => onNode(coordinator, sql, database);
    await set(`select citus_set_coordinator_host('${hostOf(coordinator)}', 5432)`);
    for (const worker of workers) await set(`select citus_add_node('${hostOf(worker)}', 5432)`);
  };
  for (const server of [coordinator, ...workers]) {
    await onNode(server, 'create extension citus');
    // A node that moves shards connects to itself.
    await onNode(server, `alter system set citus.local_hostname = '${hostOf(server)}'`);
    await onNode(server, 'select pg_reload_conf()');
  }
  await joinAll('sendroom');
  const kill: Cluster['kill'] = async (node) => {
    await node.stop('SIGKILL');
    // The folder of its socket is that of its data.
    return async () => void Object.assign(node, await startPostgres(settings, hostOf(node)));
  };
  const stop = async () => {
    for (const server of [coordinator, ...workers]) await server.stop();
  };
  return { coordinator, workers, join: joinAll, kill, stop };
}

/** The folder of its socket, which is its name for the others. */
export function hostOf({ url }: Pick<PostgresServer, 'url'>): string {
  return new URL(url).searchParams.get('host') ?? '';
}

/** Runs SQL as the superuser. */
export async function onNode(
  server: PostgresServer,
  sql: string,
  database = 'sendroom',
): Promise<Record<string, unknown>[]> {
  const url = new URL(server.superuserUrl);
  url.pathname = database;
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
