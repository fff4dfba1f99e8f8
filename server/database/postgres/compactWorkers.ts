import type { Client } from 'pg';
import { DatabaseUnavailableError } from '../databaseErrors.ts';

// Where tables are distributed, Citus passes `vacuum` on to the other machines, but neither what they say about it nor that of catalogs.

type Reply = { machine: string; success: boolean; result: string };

/** Transactions that are open on a machine. All roles see them, unlike the snapshots that they have. */
const OPEN = `
  select string_agg(name, ',') from (
    select virtualtransaction as name from pg_locks
    where locktype = 'virtualxid' and mode = 'ExclusiveLock' and pid <> pg_backend_pid()
    union select gid from pg_prepared_xacts
  ) as transactions`;

export async function isDistributed(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from pg_extension where extname = 'citus'`);
  return rowCount === 1;
}

/**
 * Transactions that are open on other machines, each with its machine. What was deleted before they began, or before others began that have
 * ended since, may be visible to them.
 */
export async function listOpen(client: Client): Promise<string[]> {
  const replies = await runOnWorkers(client, OPEN);
  return replies.flatMap(({ machine, result }) =>
    result
      .split(',')
      .filter((name) => name !== '')
      .map((name) => `${machine} ${name}`),
  );
}

/** Statistics have values of deleted rows. */
export async function rewriteStatistics(client: Client): Promise<void> {
  const files = async () =>
    (await runOnWorkers(client, `select pg_relation_filenode('pg_statistic')`)).map(
      ({ machine, result }) => `${machine} ${result}`,
    );
  const before = new Set(await files());
  await runOnWorkers(client, 'vacuum (full) pg_statistic');
  // It is skipped with a warning, as for a role that does not own the database, and Citus drops that.
  const same = (await files()).find((file) => before.has(file));
  if (same !== undefined)
    throw new DatabaseUnavailableError(
      `The statistics on ${same.split(' ')[0]} weren't rewritten: this role must own the database there.`,
    );
}

async function runOnWorkers(client: Client, command: string): Promise<Reply[]> {
  const { rows } = await client.query<Reply>(
    `select nodename || ':' || nodeport as machine, success, result from run_command_on_workers($1)`,
    [command],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed === undefined) return rows;
  throw new DatabaseUnavailableError(`The database didn't rewrite its tables on ${failed.machine}: ${failed.result}.`);
}
