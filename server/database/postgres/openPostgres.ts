import { type Database, type OpenOptions, READ_LIMIT_MS } from '../database.ts';
import { Client } from 'pg';
import { Lookups, LOOKUPS_MAX } from './lookups.ts';
import {
  clientConfig,
  ConnectionPool,
  type ConnectionTimeouts,
  requirePostgresUrl,
  WAIT_LIMIT_MS,
} from './postgresConnections.ts';
import { createPostgresDatabase, READS_MAX, WRITES_MAX } from './postgresDatabase.ts';
import { toUnavailableError } from './postgresErrors.ts';
import { prepareServer } from './prepareServer.ts';
import { openStandby } from './standby.ts';
import { PLAN_ONCE, PLAN_READS } from './transactions.ts';

/**
 * Milliseconds that a client waits for a response beyond the limit of the server. When they are over, the server has not even
 * ended the statement by its own limit, so it counts as gone.
 */
const SILENCE_MS = 2_000;

const LEASES_MAX = 1;
/** Connections of a process to its database; those to a standby come on top. */
export const CONNECTIONS_MAX = LEASES_MAX + WRITES_MAX + READS_MAX + LOOKUPS_MAX;

/**
 * Opens a database on a PostgreSQL server, for any number of processes at once (docs/decisions/0014-postgres.md), and brings
 * its schema up to date. Throws `DatabaseUnavailableError`.
 */
export async function openPostgres(
  text: string,
  { isService = false, migrates = isService, onMigrated, standby: standbyOptions }: OpenOptions,
): Promise<Database> {
  const url = nameSessions(requirePostgresUrl('DATABASE_URL', text), isService);
  const opened: Closeable[] = [];
  const closeAndThrow = async (error: unknown): Promise<never> => {
    await closePools(opened);
    throw toUnavailableError(url, error);
  };

  const isDistributed = await hasCitus(url).catch(closeAndThrow);
  // A separate pool, so that a lease never waits for a write. A migration runs here without a timeout.
  const leases = new ConnectionPool(url, 'writes', { max: LEASES_MAX, isDistributed });
  opened.unshift(leases);
  const prepared = await prepareServer(leases, { migrates, onMigrated, isService }).catch(closeAndThrow);
  const { waitMs, statementMs, warnings } = prepared;
  // Where tables are distributed, other machines plan each statement, and each setting is one more message to them.
  const planOnce = isDistributed ? {} : PLAN_ONCE;
  // A command takes as long as it needs.
  const readLimitMs = isService ? statementMs || READ_LIMIT_MS : 0;
  const limit = { statement_timeout: readLimitMs };
  const writes = new ConnectionPool(url, 'writes', {
    max: WRITES_MAX,
    isDistributed,
    settings: { ...planOnce, ...(!isService && { statement_timeout: 0 }) },
    timeouts: connectionTimeouts(isService ? waitMs : 0),
    usesTwoPhases: prepared.isDistributed,
  });
  const ofReads = { isDistributed, timeouts: connectionTimeouts(readLimitMs) };
  const reads = new ConnectionPool(url, 'reads', { ...ofReads, max: READS_MAX, settings: { ...PLAN_READS, ...limit } });
  const lookups = new Lookups(
    new ConnectionPool(url, 'reads', {
      ...ofReads,
      max: LOOKUPS_MAX,
      settings: { default_transaction_read_only: 'on', ...planOnce, ...limit },
    }),
  );
  opened.unshift(lookups, reads, writes);
  const standby =
    standbyOptions === undefined ? null : await openStandby(standbyOptions, reads, readLimitMs).catch(closeAndThrow);

  return createPostgresDatabase({
    url,
    lookups,
    reads,
    writes,
    leases,
    standby,
    waitMs,
    readLimitMs,
    isService,
    warnings,
    close: async () => {
      await standby?.close();
      await closePools(opened);
    },
  });
}

/** So that a command can tell whether services use the database (distribute.ts). */
function nameSessions(url: URL, isService: boolean): URL {
  if (!isService && !url.searchParams.has('application_name'))
    url.searchParams.set('application_name', 'sendroom admin');
  return url;
}

/** Whether the database has the extension that distributes tables (distribute.ts). */
async function hasCitus(url: URL): Promise<boolean> {
  const client = new Client(clientConfig(url));
  try {
    await client.connect();
    return (await client.query(`select from pg_extension where extname = 'citus'`)).rowCount === 1;
  } finally {
    await client.end().catch(() => {});
  }
}

type Closeable = Pick<ConnectionPool, 'destroy'>;

async function closePools(pools: readonly Closeable[]): Promise<void> {
  for (const pool of pools) await pool.destroy();
}

/** Timeouts of connections whose statements may take `limitMs` milliseconds; 0 is no limit. */
function connectionTimeouts(limitMs: number): ConnectionTimeouts | undefined {
  return limitMs === 0 ? undefined : { connectMs: WAIT_LIMIT_MS, queryMs: limitMs + SILENCE_MS };
}
