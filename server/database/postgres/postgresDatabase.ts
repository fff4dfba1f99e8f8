import { type Kysely, sql } from 'kysely';
import { FairLimiter } from '../../limiter/fairLimiter.ts';
import type { Database, Transaction } from '../database.ts';
import { DatabaseGoneError, DatabaseUnavailableError, ReadTimeoutError } from '../databaseErrors.ts';
import { createRateLimitLeaser } from '../rateLimitLeases.ts';
import { inScope } from '../scope.ts';
import { WriteQueue } from '../writeQueue.ts';
import { checkSchema } from '../schema/migrate.ts';
import type { Tables, WorkspaceId } from '../schema/tables.ts';
import type { Workspace } from '../workspace.ts';
import { newWriteMark } from '../changeLog/writeMark.ts';
import { analyzeTables } from './analyzeTables.ts';
import { compactTables } from './compactTables.ts';
import type { Lookups } from './lookups.ts';
import type { ConnectionPool, PoolCounts } from './postgresConnections.ts';
import type { RowScope } from './settings.ts';
import type { Standby } from './standby.ts';
import { BEGIN, beginRead, beginWrite, createSingles, inGroup, inOneStatement, inTransaction } from './transactions.ts';

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
  lookups: Lookups;
  reads: ConnectionPool;
  writes: ConnectionPool;
  /** For leases of rate limits, and for the readiness check. */
  leases: ConnectionPool;
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

type Access<Verb extends 'read' | 'write'> = {
  scoped: Database[Verb];
  unscoped: Database['unscoped'][Verb];
  counts: () => PoolCounts;
};

/** The database over the connections in `parts`, which it closes. */
export function createPostgresDatabase(parts: PostgresParts): Database {
  const { lookups, leases, standby, close } = parts;
  const marks: WrittenMarks = new WeakMap();
  const reads = createReads(parts, marks);
  const writes = createWrites(parts, marks);
  const kysely = lookups.kysely('*');
  const leasing = createSingles(leases, BEGIN);
  return {
    read: reads.scoped,
    write: writes.scoped,
    unscoped: { kysely, read: reads.unscoped, write: writes.unscoped },
    ready: () => checkReady(kysely, leasing),
    pools: () => [
      { name: 'lookups', ...lookups.counts() },
      { name: 'reads', ...reads.counts() },
      { name: 'writes', ...writes.counts() },
      ...(standby === null ? [] : [{ name: 'standby' as const, ...standby.counts() }]),
    ],
    standbyLag: async () => standby && standby.readLag(await readLogEnd(kysely)),
    findFileErrors: () => Promise.resolve([]),
    space: () => Promise.resolve(null),
    async backup() {
      throw new DatabaseUnavailableError('PostgreSQL has backups of its own: use pg_dump, or those of its host.');
    },
    analyze: () => analyzeTables(parts.url),
    compact: () => compactTables(parts.url),
    leaseRateLimit: createRateLimitLeaser(leasing),
    warnings: parts.warnings,
    close,
  };
}

/** Reads of a workspace go to the standby where it has all that the request may expect to find, else to the primary. */
function createReads(
  { lookups, reads, standby, readLimitMs, isService }: PostgresParts,
  marks: WrittenMarks,
): Access<'read'> {
  const limiter = isService
    ? new FairLimiter({
        max: READS_MAX,
        maxPerGroup: READS_PER_WORKSPACE_MAX,
        limitMs: readLimitMs,
        timeout: () => new ReadTimeoutError(null),
      })
    : null;
  const limited = <Result>(id: WorkspaceId | null, isLong: boolean, act: () => Promise<Result>) =>
    limiter !== null && isLong ? limiter.run(act, undefined, id) : act();
  const readPrimary = <Result>(scope: RowScope, work: (trx: Transaction) => Promise<Result>) =>
    inTransaction(reads, { begin: beginRead(scope) }, work);
  return {
    scoped: (workspace, work, { isLong = false, isSingle = false } = {}) =>
      limited(workspace.id, isLong, async () => {
        const ownWork = inScope(workspace, work);
        const readMark = async () => marks.get(workspace) ?? markOf(lookups, workspace.id);
        const answer = await standby?.read({ id: workspace.id, readMark }, ownWork);
        if (answer) return answer.result;
        if (isSingle) return ownWork(lookups.kysely(workspace.id));
        return readPrimary(workspace.id, ownWork);
      }),
    unscoped: (work, { isLong = false } = {}) => limited(null, isLong, () => readPrimary('*', work)),
    counts: () => ({ ...reads.counts(), ...(limiter !== null && { waiting: limiter.waiting }) }),
  };
}

/** Writes of one workspace run one after the other. Every group of them leaves a new mark, which is remembered in `marks`. */
function createWrites({ writes, waitMs }: PostgresParts, marks: WrittenMarks): Access<'write'> {
  const queue = new WriteQueue({
    max: WRITES_MAX,
    waitMs,
    async runGroup(group, onBegun, leftMs) {
      const [{ workspace, work, isBulk = false, isSingle = false }] = group;
      // A new mark for each attempt. From here on these requests read from a standby only if that has the mark.
      const mark = newWriteMark();
      for (const write of group) if (write.workspace !== null) marks.set(write.workspace, mark);
      const beginsFirst = isBulk || workspace === null;
      const begin = beginWrite(workspace && { id: workspace.id, mark }, leftMs, beginsFirst);
      const options = { begin, beginsFirst, onBegun };
      if (group.length > 1)
        return inGroup(
          writes,
          options,
          group.map((write) => write.work),
        );
      const run = isSingle && writes.engine.writesInQueries ? inOneStatement : inTransaction;
      return [{ status: 'fulfilled', value: await run(writes, options, work) }];
    },
  });
  return {
    scoped: (workspace, work, options = {}) => queue.run({ ...options, workspace, work: inScope(workspace, work) }),
    unscoped: (work) => queue.run({ workspace: null, work }),
    counts: () => ({ ...writes.counts(), waiting: queue.waiting }),
  };
}

/** The mark of the last write of a workspace; undefined where it was deleted. */
async function markOf(lookups: Lookups, id: WorkspaceId): Promise<number | undefined> {
  const heads = lookups.kysely(id).selectFrom('workspace_heads').where('workspace_id', '=', id);
  return (await heads.select('mark').executeTakeFirst())?.mark;
}

async function checkReady(lookups: Kysely<Tables>, writer: Kysely<Tables>): Promise<void> {
  const [{ is_read_only: isReadOnly }] = await Promise.all([
    writer
      .selectNoFrom(sql<boolean>`current_setting('transaction_read_only') = 'on'`.as('is_read_only'))
      .executeTakeFirstOrThrow(),
    checkSchema(lookups),
  ]);
  if (isReadOnly) throw new DatabaseGoneError(null, 'The database takes no writes now.');
}

/** Of the primary's write-ahead log. */
async function readLogEnd(lookups: Kysely<Tables>): Promise<string> {
  const end = sql<string>`pg_current_wal_lsn()::text`.as('end');
  return (await lookups.selectNoFrom(end).executeTakeFirstOrThrow()).end;
}
