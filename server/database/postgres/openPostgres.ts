import { type Kysely, sql } from 'kysely';
import { createRateLimitLeaser } from '../rateLimitLeases.ts';
import type { Database, OpenOptions, Transaction } from '../database.ts';
import { DatabaseGoneError, DatabaseUnavailableError } from '../databaseErrors.ts';
import { newWriteMark } from '../writeMark.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { Migration } from '../migrations/migration.ts';
import {
  beginRead,
  type PooledKysely,
  createPool,
  inTransaction,
  type ConnectionTimeouts,
  requirePostgresUrl,
  WAIT_LIMIT_MS,
} from './postgresConnections.ts';
import { toUnavailableError } from './postgresErrors.ts';
import { createPipelinedPool } from './pipelinedConnections.ts';
import { READ_LIMIT_MS, ReadLimiter } from '../readLimiter.ts';
import { openStandby, type Standby } from './standby.ts';
import { inScope } from '../scope.ts';
import type { Tables, WorkspaceId } from '../tables.ts';
import type { Workspace } from '../workspace.ts';
import { WriteQueue } from './writeQueue.ts';

const OLDEST_MAJOR = 15;
/** Connections of one process. Writes that wait for each other must not keep reads waiting. */
const READS_MAX = 10;
const READS_OF_ONE_WORKSPACE = 7;
const WRITES_MAX = 5;

/**
 * Milliseconds after which a service takes a server that says nothing for gone: later than the server itself would have given
 * up a read, or a write that waits.
 */
const SILENCE = 2_000;

const WRITE = 'begin isolation level read committed';
/** How long one write waits for another process with a connection in hand; then it lets others have it for a while. */
const ATTEMPT_MS = 250;
/** Milliseconds. Sessions, claims and verdicts live for minutes, by the clock of whichever process looks. */
const CLOCKS_APART_MAX = 60_000;
/** Of all advisory locks in the database, those of writes that are of no workspace: one for each schema. */
const LOCK_OTHERS = 'select pg_advisory_xact_lock(7362663, hashtext(current_schema()))';

/** PostgreSQL, for any number of processes at once (docs/decisions/0014-postgres.md). */
export async function openPostgres(
  text: string,
  { isService = false, steps = migrations, standby: standbyOptions }: OpenOptions,
): Promise<Database> {
  const url = requirePostgresUrl('DATABASE_URL', text);
  // Of its own, so that whoever only reads never waits for one who writes. A step of the schema may take its time there.
  const leaseConnections = createPool(url, 'writes', 1);
  let standby: Standby | null = null;
  const opened: Pick<PooledKysely, 'destroy'>[] = [leaseConnections];
  const close = async () => {
    await standby?.close();
    for (const connections of opened) await connections.destroy();
  };
  const closeAndThrow = async (error: unknown): Promise<never> => {
    await close();
    throw toUnavailableError(url, error);
  };

  const { wait, limit } = await prepare(leaseConnections, steps).catch(closeAndThrow);
  const readLimit = isService ? limit || READ_LIMIT_MS : null;
  const writes = createPool(url, 'writes', WRITES_MAX, connectionTimeouts(isService ? wait : null));
  const reads = createPool(url, 'reads', READS_MAX, connectionTimeouts(readLimit));
  const shared = createPipelinedPool(url, connectionTimeouts(readLimit), readLimit);
  opened.unshift(shared, reads, writes);
  if (standbyOptions !== undefined) {
    standby = await openStandby(standbyOptions, reads, steps.length, readLimit).catch(closeAndThrow);
  }

  const queue = new WriteQueue({ connections: WRITES_MAX, waitMs: wait });
  const begin = (lock: string) =>
    `${WRITE}; set local lock_timeout = ${Math.min(ATTEMPT_MS, wait)}; ${lock}; set local lock_timeout = ${wait}`;
  const write = <Result>(id: WorkspaceId | null, lock: () => string, work: (trx: Transaction) => Promise<Result>) =>
    queue.run(id, (hasBegun) =>
      inTransaction(writes, begin(lock()), (trx) => {
        hasBegun();
        return work(trx);
      }),
    );
  /** Of the workspaces that a request has written to since it read them. */
  const marks = new WeakMap<Workspace, number>();
  const readLimiter = isService ? new ReadLimiter({ max: READS_MAX, maxPerWorkspace: READS_OF_ONE_WORKSPACE }) : null;
  const onStandby = <Result>(workspace: Workspace, work: (trx: Transaction) => Promise<Result>) =>
    standby?.read({ id: workspace.id, mark: marks.get(workspace) ?? workspace.mark }, work);
  const readAll: Database['unscoped']['read'] = (work) => inTransaction(reads, beginRead(readLimit), work);
  const read: Database['read'] = async (workspace, work) => {
    const answer = await onStandby(workspace, inScope(workspace, work));
    return answer ? answer.result : readAll(inScope(workspace, work));
  };
  const inTurn = <Result>(id: WorkspaceId | null, act: () => Promise<Result>) =>
    readLimiter === null ? act() : readLimiter.run(id, act);

  return {
    async readOne(workspace, work) {
      const answer = await onStandby(workspace, inScope(workspace, work));
      return answer ? answer.result : inScope(workspace, work)(shared);
    },
    read,
    readLong: (workspace, work) => inTurn(workspace.id, () => read(workspace, work)),
    write: (workspace, work) => {
      const lock = () => {
        const mark = newWriteMark();
        marks.set(workspace, mark);
        return lockWorkspace(workspace.id, mark);
      };
      return write(workspace.id, lock, inScope(workspace, work));
    },
    unscoped: {
      kysely: shared,
      read: readAll,
      readLong: (work) => inTurn(null, () => readAll(work)),
      write: (work) => write(null, () => LOCK_OTHERS, work),
    },
    async ready() {
      const [{ is_read_only: isReadOnly }] = await Promise.all([
        leaseConnections
          .selectNoFrom(sql<boolean>`current_setting('transaction_read_only') = 'on'`.as('is_read_only'))
          .executeTakeFirstOrThrow(),
        shared.selectFrom('schema_versions').select('version').executeTakeFirstOrThrow(),
      ]);
      if (isReadOnly) throw new DatabaseGoneError(null, 'The database takes no writes now.');
    },
    pools: () => [
      { name: 'lookups', ...shared.counts() },
      { name: 'reads', ...reads.counts(), ...(readLimiter !== null && { waiting: readLimiter.waiting }) },
      { name: 'writes', ...writes.counts(), waiting: queue.waiting },
      ...(standby === null ? [] : [{ name: 'standby' as const, ...standby.counts() }]),
    ],
    findFileErrors: () => Promise.resolve([]),
    space: () => Promise.resolve(null),
    async backup() {
      throw new DatabaseUnavailableError('PostgreSQL has backups of its own: use pg_dump, or those of its host.');
    },
    leaseRateLimit: createRateLimitLeaser(leaseConnections),
    version: () => null,
    close,
  };
}

/** Of connections whose statements take `longest` milliseconds; null is as long as they want. */
function connectionTimeouts(longest: number | null): ConnectionTimeouts | undefined {
  return longest === null ? undefined : { connectMs: WAIT_LIMIT_MS, queryMs: longest + SILENCE };
}

/**
 * Makes sure that it is a server we can work with, and brings the schema up to date. Gives milliseconds: how long a write may
 * wait, and how long the server lets a statement take; 0 is as long as it wants.
 */
async function prepare(kysely: Kysely<Tables>, steps: readonly Migration[]): Promise<{ wait: number; limit: number }> {
  const { rows } = await sql<{
    version: number;
    encoding: string;
    commit: string;
    wait: number;
    limit: number;
    clock: number;
  }>`
    select current_setting('server_version_num')::integer / 10000 as version,
      current_setting('server_encoding') as encoding, current_setting('synchronous_commit') as commit,
      (select setting::integer from pg_settings where name = 'lock_timeout') as wait,
      (select setting::integer from pg_settings where name = 'statement_timeout') as "limit",
      extract(epoch from clock_timestamp()) * 1000 as clock`.execute(kysely);
  const { version = 0, encoding, commit, wait: allowed, limit = 0, clock = 0 } = rows[0] ?? {};
  if (version < OLDEST_MAJOR) {
    throw new DatabaseUnavailableError(`The database is PostgreSQL ${version}: ${OLDEST_MAJOR} or later is needed.`);
  }
  if (encoding !== 'UTF8')
    throw new DatabaseUnavailableError(`The database holds text as ${encoding}: UTF8 is needed.`);
  if (commit === 'off') {
    throw new DatabaseUnavailableError(
      'The database forgets the last changes in a power cut: set synchronous_commit to on.',
    );
  }
  const ahead = Date.now() - clock;
  if (Math.abs(ahead) > CLOCKS_APART_MAX) {
    const apart = `${Math.round(Math.abs(ahead) / 1000)} seconds ${ahead > 0 ? 'ahead of' : 'behind'}`;
    throw new DatabaseUnavailableError(`The clock of this machine is ${apart} that of the database: set both right.`);
  }
  const wait = allowed || WAIT_LIMIT_MS;
  await migrate(
    { write: (work) => inTransaction(kysely, beginMigrationSql(wait), work) },
    { ordered: '', unlogged: 'unlogged', searchesIndexes: false },
    steps,
  );
  return { wait, limit };
}

/**
 * Whoever starts beside a process that migrates waits until it is done. The step itself does not wait long for a table that
 * somebody writes to, because all who want to read it would stand behind it.
 */
function beginMigrationSql(wait: number): string {
  return `${WRITE}; set local lock_timeout = 0; ${LOCK_OTHERS}; set local lock_timeout = ${wait}`;
}

/**
 * Writes of one workspace run one after the other, whichever process they come from: what a write has read is still so
 * when it writes. The row of the workspace is the lock, so that it lies where the data does, and takes the mark of the
 * write. The request knows that mark from here on: if the write fails, nobody has it, and reads ask the primary.
 */
function lockWorkspace(id: WorkspaceId, mark: number): string {
  return `update workspaces set mark = ${mark} where id = ${Number(id)}`;
}
