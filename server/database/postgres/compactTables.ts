import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import { isDistributed, listOpen, rewriteStatistics } from './compactWorkers.ts';
import { clientConfig } from './postgresConnections.ts';
import { connectForMaintenance, runMaintenance, SERVER_TABLES } from './tableMaintenance.ts';

const LEFT =
  'Deleted rows are left in the files of the database, because a transaction that began before is still open on this server, here or in another database: end it, or run this again later.';

/** Milliseconds that transactions from before may take until they end, and between two looks at that. */
const WAIT_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Rewrites all tables with their indexes and statistics. The server keeps deleted rows that transactions
 * from before could still read, those of other databases included; it waits for them. Throws `DatabaseUnavailableError` where they do
 * not end, or where the role may not do it.
 */
export async function compactTables(url: URL): Promise<void> {
  const client = new Client(clientConfig(url));
  await connectForMaintenance(client);
  try {
    const deadline = performance.now() + WAIT_MS;
    const pause = async () => {
      if (performance.now() > deadline) throw new DatabaseUnavailableError(LEFT);
      await delay(PAUSE_MS);
    };
    const hasWorkers = await isDistributed(client);
    if (hasWorkers) await outlastOpen(client, pause);
    const tables = SERVER_TABLES.map((table) => `(full, verbose, analyze) ${table}`);
    // Last: it has values of all others.
    for (const table of [...tables, '(full, verbose) pg_statistic']) {
      while ((await vacuum(client, table)) > 0) await pause();
    }
    if (hasWorkers) await rewriteStatistics(client);
  } finally {
    await client.end();
  }
}

/**
 * Waits for the transactions that are open on other machines, and then for those that are by then: they may see what others from before
 * do.
 */
async function outlastOpen(client: Client, pause: () => Promise<void>): Promise<void> {
  for (let time = 0; time < 2; time++) {
    let open = new Set(await listOpen(client));
    while (open.size > 0) {
      await pause();
      open = open.intersection(new Set(await listOpen(client)));
    }
  }
}

/** Gives the number of deleted rows that are left. */
async function vacuum(client: Client, table: string): Promise<number> {
  const notices = await runMaintenance(client, `vacuum ${table}`);
  // The detail begins with that number, in the language of the server.
  const left = notices.map(({ detail }) => /^\d+(?= )/.exec(detail ?? '')?.[0]).find((number) => number !== undefined);
  if (left !== undefined) return Number(left);
  // It was skipped with a warning, as for a role that does not own the database.
  const said = notices.map(({ message }) => message).join('; ');
  throw new DatabaseUnavailableError(`The database didn't rewrite its tables: ${said}.`);
}
