import { CompiledQuery, sql } from 'kysely';
import type { Database, PoolStats, Transaction } from '../database.ts';
import { DatabaseGoneError, DatabaseUnavailableError } from '../databaseErrors.ts';
import { createRateLimitLeaser } from '../rateLimitLeases.ts';
import { ReadLimiter } from '../readLimiter.ts';
import { inScope } from '../scope.ts';
import type { WorkspaceId } from '../tables.ts';
import type { Workspace } from '../workspace.ts';
import { newWriteMark } from '../writeMark.ts';
import { analyzeTables } from './analyzeTables.ts';
import { compactTables } from './compactTables.ts';
import { NOTHING, type PooledKysely } from './postgresConnections.ts';
import type { PipelinedConnections } from './pipelinedConnections.ts';
import type { RowScope } from './rowSecurity.ts';
import type { Standby } from './standby.ts';
import { beginRead, beginWrite, inOneMessage, inTransaction } from './transactions.ts';
import { WriteQueue } from './writeQueue.ts';

/**
 * Connections of one process. Reads and writes have pools of their own, so that writes that wait for locks do not
 * block reads.
 */
export const READS_MAX = 10;
export const WRITES_MAX = 5;
/** Long reads of one workspace at once. */
const READS_PER_WORKSPACE_MAX = 7;

/** What openPostgres.ts has opened. */
type PostgresParts = {
  url: URL;
  /** For single statements that find a few rows by their keys. */
  lookups: PipelinedConnections;
  reads: PooledKysely;
  writes: PooledKysely;
  /** For leases of rate limits, and for the readiness check. */
  leases: PooledKysely;
  standby: Standby | null;
  /** How long a write may wait, in milliseconds. */
  waitMs: number;
  /** How long a statement of a read may take, in milliseconds; 0 is no limit. */
  readLimitMs: number;
  isService: boolean;
  warnings: readonly string[];
  close: () => Promise<void>;
};

/** The last mark that was written through a workspace object, that is by the request that holds it. */
type WrittenMarks = WeakMap<Workspace, number>;

type Reads = Pick<Database, 'readOne' | 'read' | 'readLong'> & {
  unscopedRead: Database['unscoped']['read'];
  unscopedReadLong: Database['unscoped']['readLong'];
  counts: () => Omit<PoolStats, 'name'>;
};

type Writes = Pick<Database, 'write' | 'writeFew' | 'writeOne'> & {
  unscopedWrite: Database['unscoped']['write'];
  counts: () => Omit<PoolStats, 'name'>;
};

/** The database over the connections in `parts`, which it closes. */
export function createPostgresDatabase(parts: PostgresParts): Database {
  const { lookups, leases, standby, close } = parts;
  const marks: WrittenMarks = new WeakMap();
  const reads = createReads(parts, marks);
  const writes = createWrites(parts, marks);
  return {
    readOne: reads.readOne,
    read: reads.read,
    readLong: reads.readLong,
    write: writes.write,
    writeFew: writes.writeFew,
    writeOne: writes.writeOne,
    unscoped: {
      kysely: lookups.kysely('*'),
      read: reads.unscopedRead,
      readLong: reads.unscopedReadLong,
      write: writes.unscopedWrite,
    },
    ready: () => checkReady(parts),
    pools: () => [
      { name: 'lookups', ...lookups.counts() },
      { name: 'reads', ...reads.counts() },
      { name: 'writes', ...writes.counts() },
      ...(standby === null ? [] : [{ name: 'standby' as const, ...standby.counts() }]),
    ],
    findFileErrors: () => Promise.resolve([]),
    space: () => Promise.resolve(null),
    async backup() {
      throw new DatabaseUnavailableError('PostgreSQL has backups of its own: use pg_dump, or those of its host.');
    },
    analyze: () => analyzeTables(parts.url),
    compact: () => compactTables(parts.url),
    leaseRateLimit: createRateLimitLeaser(leases),
    warnings: parts.warnings,
    close,
  };
}

/** Reads of a workspace go to the standby where it has all that the request may expect to find, else to the primary. */
function createReads({ lookups, reads, standby, readLimitMs, isService }: PostgresParts, marks: WrittenMarks): Reads {
  const limiter = isService
    ? new ReadLimiter({ limitMs: readLimitMs, max: READS_MAX, maxPerWorkspace: READS_PER_WORKSPACE_MAX })
    : null;
  const readStandby = <Result>(workspace: Workspace, work: (trx: Transaction) => Promise<Result>) =>
    standby?.read({ id: workspace.id, mark: marks.get(workspace) ?? workspace.mark }, work);
  const readPrimary = <Result>(scope: RowScope, work: (trx: Transaction) => Promise<Result>) =>
    inTransaction(reads, 'reads', beginRead(scope, readLimitMs), work);
  const read: Reads['read'] = async (workspace, work) => {
    const answer = await readStandby(workspace, inScope(workspace, work));
    return answer ? answer.result : readPrimary(workspace.id, inScope(workspace, work));
  };
  const limited = <Result>(id: WorkspaceId | null, act: () => Promise<Result>) =>
    limiter === null ? act() : limiter.run(id, act);
  return {
    async readOne(workspace, work) {
      const answer = await readStandby(workspace, inScope(workspace, work));
      return answer ? answer.result : inScope(workspace, work)(lookups.kysely(workspace.id));
    },
    read,
    readLong: (workspace, work) => limited(workspace.id, () => read(workspace, work)),
    unscopedRead: (work) => readPrimary('*', work),
    unscopedReadLong: (work) => limited(null, () => readPrimary('*', work)),
    counts: () => ({ ...reads.counts(), ...(limiter !== null && { waiting: limiter.waiting }) }),
  };
}

/** Writes of one workspace run one after the other. Every write leaves a new mark, which is remembered in `marks`. */
function createWrites({ writes, waitMs, isService }: PostgresParts, marks: WrittenMarks): Writes {
  const queue = new WriteQueue({ connections: WRITES_MAX, waitMs });
  const begin = (workspace: Workspace, leftMs: number, byKeys: boolean) => {
    // A new mark for each attempt. From here on this request reads from a standby only if that has the mark.
    const mark = newWriteMark();
    marks.set(workspace, mark);
    return beginWrite({ id: workspace.id, mark }, leftMs, { byKeys, isUnlimited: !isService });
  };
  return {
    write: (workspace, work) =>
      queue.run(workspace.id, (hasBegun, leftMs) =>
        inTransaction(writes, 'writes', begin(workspace, leftMs, false), atOnce(inScope(workspace, work)), hasBegun),
      ),
    writeFew: (workspace, work) =>
      queue.run(workspace.id, (hasBegun, leftMs) =>
        inTransaction(writes, 'writes', begin(workspace, leftMs, true), inScope(workspace, work), hasBegun),
      ),
    writeOne: (workspace, work) =>
      queue.run(workspace.id, (hasBegun, leftMs) =>
        inOneMessage(writes, begin(workspace, leftMs, true), inScope(workspace, work), hasBegun),
      ),
    unscopedWrite: (work) =>
      queue.run(null, (hasBegun, leftMs) =>
        inTransaction(
          writes,
          'writes',
          beginWrite(null, leftMs, { byKeys: false, isUnlimited: !isService }),
          atOnce(work),
          hasBegun,
        ),
      ),
    counts: () => ({ ...writes.counts(), waiting: queue.waiting }),
  };
}

/** Work that runs when its transaction has begun, though its first statement comes later or never. */
function atOnce<Result>(work: (trx: Transaction) => Promise<Result>): (trx: Transaction) => Promise<Result> {
  return async (trx) => {
    await trx.executeQuery(CompiledQuery.raw(NOTHING));
    return work(trx);
  };
}

async function checkReady({ leases, lookups }: PostgresParts): Promise<void> {
  const [{ is_read_only: isReadOnly }] = await Promise.all([
    leases
      .selectNoFrom(sql<boolean>`current_setting('transaction_read_only') = 'on'`.as('is_read_only'))
      .executeTakeFirstOrThrow(),
    lookups.kysely('*').selectFrom('schema_versions').select('version').executeTakeFirstOrThrow(),
  ]);
  if (isReadOnly) throw new DatabaseGoneError(null, 'The database takes no writes now.');
}
