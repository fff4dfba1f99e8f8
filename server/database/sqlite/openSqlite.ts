import { FairLimiter } from '../../limiter/fairLimiter.ts';
import type { Database, OpenOptions, PoolStats, Transaction } from '../database.ts';
import { checkSchema, migrate, type MigrateOptions } from '../schema/migrate.ts';
import { inScope } from '../scope.ts';
import type { WorkspaceId } from '../schema/tables.ts';
import { backUp } from './backup/backUp.ts';
import { findFileErrors } from './verifyFile.ts';
import { compactFile } from './compactFile.ts';
import { createFile, wrapOpenErrors, lockService, parseFileUrl } from './databaseFile.ts';
import { fileSpace, probeDisk } from './fileSpace.ts';
import { ReadThreads, THREADS } from './readThreads.ts';
import { openReader, openWriter, type WriterSizes } from './sqliteConnections.ts';
import { createSqliteKysely } from './sqliteKysely.ts';
import { WriteQueue } from '../writeQueue.ts';
import { BEGIN_READ, Transactions, BEGIN_WRITE } from './transactions.ts';

/**
 * KiB of pages that each connection keeps in memory. With a large file all of them fill up in time: 120 MiB for a process. The
 * operating system caches pages as well.
 */
const CACHE = 40 * 1024;
/** In a service, for the connections that are in no thread. */
const SERVICE_CACHE = 20 * 1024;
const THREAD_CACHE = (60 * 1024) / THREADS;
/** An import changes the same pages of the indexes in each of its transactions, and so writes them a quarter as often to the file. */
const LOG_PAGES = 4_000;
/** How long a write waits: for those before it, and for another process, such as `npm run admin`. */
const BUSY_LIMIT_MS = 10_000;
/** A request may wait for the commit that moves them. */
const SERVICE_LOG_PAGES = 1_000;

/**
 * Opens the database in the file that `url` names, and brings its schema up to date where that is asked for. Throws `DatabaseUnavailableError`.
 *
 * In WAL mode reads neither wait for a write nor see half of one, and they see every write that has ended. Transactions that
 * read have a connection of their own, so that single reads don't see their older state of the data.
 */
export async function openSqlite(
  url: string,
  { isService = false, migrates = isService, onMigrated }: OpenOptions,
): Promise<Database> {
  const file = createFile(parseFileUrl(url));
  const serviceLock = isService ? lockService(file) : null;
  const cache = isService ? SERVICE_CACHE : CACHE;
  const logPages = isService ? SERVICE_LOG_PAGES : LOG_PAGES;
  const writes = await openWrites(file, { cache, logPages }, { migrates, onMigrated }).catch((error: unknown) => {
    serviceLock?.close();
    throw error;
  });
  const queue = createQueue(writes);
  const reads = new Transactions(openReader(file, cache), BEGIN_READ);
  const readTurns = new FairLimiter({ max: 1 });
  const threads = isService ? new ReadThreads({ file, cache: THREAD_CACHE }) : null;
  const reader = openReader(file, cache);
  const kysely = createSqliteKysely(reader);
  const read = <Result>(id: WorkspaceId | null, work: (trx: Transaction) => Promise<Result>, isLong: boolean) =>
    isLong && threads !== null ? threads.run(id, work) : readTurns.run(() => reads.run(work), undefined, id);

  return {
    read: (workspace, work, { isLong = false, isSingle = false } = {}) =>
      isSingle ? inScope(workspace, work)(kysely) : read(workspace.id, inScope(workspace, work), isLong),
    write: (workspace, work, options = {}) => queue.run({ ...options, workspace, work: inScope(workspace, work) }),
    unscoped: {
      kysely,
      read: (work, { isLong = false } = {}) => read(null, work, isLong),
      write: (work) => queue.run({ workspace: null, work }),
    },
    leaseRateLimit: null,
    warnings: [],
    async ready() {
      await checkSchema(kysely);
      await probeDisk(file);
    },
    pools: () => [
      { name: 'reads', ...(threads?.counts() ?? countsOf(readTurns)) },
      { name: 'writes', ...countsOf(queue) },
    ],
    standbyLag: () => Promise.resolve(null),
    findFileErrors: () => findFileErrors(kysely),
    space: () => fileSpace(file),
    backup: (target) => backUp(file, target, CACHE),
    analyze: () => Promise.resolve(null),
    compact: () => compactFile(file),
    async close() {
      reader.close();
      await threads?.close();
      await readTurns.drain();
      reads.close();
      // The writer closes last, so that it can move the log into the file.
      await queue.drain();
      writes.close();
      serviceLock?.close();
    },
  };
}

const countsOf = ({ inFlight, waiting }: Pick<FairLimiter, 'inFlight' | 'waiting'>): Omit<PoolStats, 'name'> => ({
  max: 1,
  used: inFlight,
  idle: 1 - inFlight,
  waiting,
});

const createQueue = (writes: Transactions) =>
  new WriteQueue({
    max: 1,
    waitMs: BUSY_LIMIT_MS,
    runGroup: (group, onBegun, leftMs) =>
      writes.runGroup(
        group.map(({ work }) => work),
        onBegun,
        leftMs,
      ),
  });

/** The connection that writes, with the schema up to date. */
async function openWrites(file: string, sizes: WriterSizes, options: MigrateOptions): Promise<Transactions> {
  const writes = new Transactions(
    wrapOpenErrors(file, () => openWriter(file, sizes)),
    BEGIN_WRITE,
  );
  try {
    await migrate({ write: (work) => writes.run(work) }, false, options);
    return writes;
  } catch (error) {
    writes.close();
    throw error;
  }
}
