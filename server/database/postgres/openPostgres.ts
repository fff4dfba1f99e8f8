import { type Kysely, sql } from 'kysely';
import { allowancesOn } from '../allowances.ts';
import type { Database, DataOwner, OpenOptions } from '../database.ts';
import { DatabaseGone, DatabaseUnavailable } from '../failures.ts';
import { newMark } from '../mark.ts';
import { migrate } from '../migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import type { Migration } from '../migrations/migration.ts';
import {
  beginRead,
  type Connections,
  connectTo,
  inTransaction,
  type Limits,
  readUrl,
  WAIT_LIMIT_MS,
} from './postgres.ts';
import { cannotOpen } from './postgresFailures.ts';
import { connectShared } from './postgresShared.ts';
import { READ_LIMIT_MS, ReadTurns } from '../sqlite/readTurns.ts';
import { openStandby, type Standby } from './standby.ts';
import type { Tables } from '../tables.ts';
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
const LOCK = 7_362_663;

/** PostgreSQL, for any number of processes at once (docs/decisions/0014-postgres.md). */
export async function openPostgres(
  text: string,
  { isService = false, steps = migrations, standby: standbyOptions }: OpenOptions,
): Promise<Database> {
  const url = readUrl('DATABASE_URL', text);
  // Of its own, so that whoever only reads never waits for one who writes. A step of the schema may take its time there.
  const allowances = connectTo(url, 'writes', 1);
  let standby: Standby | null = null;
  const opened: Pick<Connections, 'destroy'>[] = [allowances];
  const close = async () => {
    await standby?.close();
    for (const connections of opened) await connections.destroy();
  };
  const inWords = async (error: unknown): Promise<never> => {
    await close();
    throw cannotOpen(url, error);
  };

  const { wait, limit } = await prepare(allowances, steps).catch(inWords);
  const readLimit = isService ? limit || READ_LIMIT_MS : null;
  const writes = connectTo(url, 'writes', WRITES_MAX, limitsOf(isService ? wait : null));
  const reads = connectTo(url, 'reads', READS_MAX, limitsOf(readLimit));
  const shared = connectShared(url, limitsOf(readLimit), readLimit);
  opened.unshift(shared, reads, writes);
  if (standbyOptions !== undefined) {
    standby = await openStandby(standbyOptions, reads, steps.length, readLimit).catch(inWords);
  }

  const queue = new WriteQueue({ connections: WRITES_MAX, wait });
  const begin = (owner: DataOwner) =>
    `${WRITE}; set local lock_timeout = ${Math.min(ATTEMPT_MS, wait)}; ${lock(owner)}; set local lock_timeout = ${wait}`;
  const turns = isService ? new ReadTurns({ max: READS_MAX, ofOne: READS_OF_ONE_WORKSPACE }) : null;
  const read: Database['read'] = async (workspace, work) => {
    const answer = workspace && (await standby?.read(workspace, work));
    return answer ? answer.result : inTransaction(reads, beginRead(readLimit), work);
  };

  return {
    kysely: shared,
    async readOne(workspace, work) {
      const answer = workspace && (await standby?.read(workspace, work));
      return answer ? answer.result : work(shared);
    },
    read,
    readLong: (workspace, work) =>
      turns === null ? read(workspace, work) : turns.taking(workspace, () => read(workspace, work)),
    write: (workspace, work) =>
      queue.run(workspace, (hasBegun) =>
        inTransaction(writes, begin(workspace), (trx) => {
          hasBegun();
          return work(trx);
        }),
      ),
    async ready() {
      const [{ is_read_only: isReadOnly }] = await Promise.all([
        allowances
          .selectNoFrom(sql<boolean>`current_setting('transaction_read_only') = 'on'`.as('is_read_only'))
          .executeTakeFirstOrThrow(),
        shared.selectFrom('schema_versions').select('version').executeTakeFirstOrThrow(),
      ]);
      if (isReadOnly) throw new DatabaseGone(null, 'The database takes no writes now.');
    },
    pools: () => [
      { name: 'lookups', ...shared.counts() },
      { name: 'reads', ...reads.counts(), ...(turns !== null && { waiting: turns.waiting }) },
      { name: 'writes', ...writes.counts(), waiting: queue.waiting },
      ...(standby === null ? [] : [{ name: 'standby' as const, ...standby.counts() }]),
    ],
    space: () => Promise.resolve(null),
    async backup() {
      throw new DatabaseUnavailable('PostgreSQL has backups of its own: use pg_dump, or those of its host.');
    },
    takeAllowance: allowancesOn(allowances),
    version: () => null,
    close,
  };
}

/** Of connections whose statements take `longest` milliseconds; null is as long as they want. */
function limitsOf(longest: number | null): Limits | undefined {
  return longest === null ? undefined : { connect: WAIT_LIMIT_MS, query: longest + SILENCE };
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
    throw new DatabaseUnavailable(`The database is PostgreSQL ${version}: ${OLDEST_MAJOR} or later is needed.`);
  }
  if (encoding !== 'UTF8') throw new DatabaseUnavailable(`The database holds text as ${encoding}: UTF8 is needed.`);
  if (commit === 'off') {
    throw new DatabaseUnavailable(
      'The database forgets the last changes in a power cut: set synchronous_commit to on.',
    );
  }
  const ahead = Date.now() - clock;
  if (Math.abs(ahead) > CLOCKS_APART_MAX) {
    const apart = `${Math.round(Math.abs(ahead) / 1000)} seconds ${ahead > 0 ? 'ahead of' : 'behind'}`;
    throw new DatabaseUnavailable(`The clock of this machine is ${apart} that of the database: set both right.`);
  }
  const wait = allowed || WAIT_LIMIT_MS;
  await migrate(
    { write: (_, work) => inTransaction(kysely, beginStep(wait), work) },
    { ordered: '', passing: 'unlogged', searchesIndexes: false },
    steps,
  );
  return { wait, limit };
}

/**
 * Whoever starts beside a process that migrates waits until it is done. The step itself does not wait long for a table that
 * somebody writes to, because all who want to read it would stand behind it.
 */
function beginStep(wait: number): string {
  return `${WRITE}; set local lock_timeout = 0; ${lock(null)}; set local lock_timeout = ${wait}`;
}

/**
 * Writes of one workspace run one after the other, whichever process they come from: what a write has read is still so
 * when it writes. The row of the workspace is the lock, so that it lies where the data does, and takes the mark of the
 * write. The request knows that mark from here on: if the write fails, nobody has it, and reads ask the primary.
 */
function lock(workspace: DataOwner): string {
  if (workspace === null) return `select pg_advisory_xact_lock(${LOCK}, hashtext(current_schema()))`;
  workspace.mark = newMark();
  return `update workspaces set mark = ${workspace.mark} where id = ${Number(workspace.id)}`;
}
