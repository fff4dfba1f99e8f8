import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { backup } from 'node:sqlite';
import type { Database, OpenOptions, Transaction } from '../database.ts';
import { inScope } from '../scope.ts';
import { findFileErrors } from './checkFile.ts';
import { createFile, wrapOpenErrors, lockService, parseFileUrl } from './databaseFile.ts';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import { fileSpace, probeDisk } from './fileSpace.ts';
import { migrate } from '../migrate.ts';
import { ReadThreads, THREADS } from './readThreads.ts';
import { createSqliteKysely } from './sqliteKysely.ts';
import { openReader, openWriter, SQLITE_DIALECT } from './sqliteConnections.ts';
import { toDatabaseError } from './sqliteErrors.ts';
import type { WorkspaceId } from '../tables.ts';
import { BEGIN_READ, createTransactions, BEGIN_WRITE } from './transactions.ts';

/**
 * KiB of pages that connections keep, all of which fill it in time when the file is large; the system keeps pages as well. All
 * of a process together keep 120 MiB.
 */
const CACHE = 40 * 1024;
/** Of threads and the three connections beside them, where there are some. */
const SERVICE_CACHE = 20 * 1024;
const THREAD_CACHE = (60 * 1024) / THREADS;

/**
 * In WAL mode reads neither wait for a write nor see half of one, and they see every write that has ended. Reads that
 * belong together have a connection of their own, so that a single read beside them is never answered from their view.
 */
export async function openSqlite(url: string, { isService = false, steps }: OpenOptions): Promise<Database> {
  const file = createFile(parseFileUrl(url));
  const serviceLock = isService ? lockService(file) : null;
  const cache = isService ? SERVICE_CACHE : CACHE;
  const writes = createTransactions(
    wrapOpenErrors(file, () => openWriter(file, cache)),
    BEGIN_WRITE,
  );
  // One write at a time is all that SQLite does, whichever workspace it is for.
  const write: Database['unscoped']['write'] = (work) => writes.run(work);
  try {
    await migrate({ write }, SQLITE_DIALECT, steps);
  } catch (error) {
    await writes.close();
    serviceLock?.close();
    throw error;
  }
  const reads = createTransactions(openReader(file, cache), BEGIN_READ);
  const threads = isService ? new ReadThreads({ file, cache: THREAD_CACHE }) : null;
  const reader = openReader(file, cache);
  const kysely = createSqliteKysely(reader);
  const readLong = <Result>(workspace: WorkspaceId | null, work: (trx: Transaction) => Promise<Result>) =>
    threads === null ? reads.run(work) : threads.run(workspace, work);
  const dataVersion = reader.prepare('pragma data_version');

  return {
    readOne: (workspace, work) => inScope(workspace, work)(kysely),
    read: (workspace, work) => reads.run(inScope(workspace, work)),
    readLong: (workspace, work) => readLong(workspace.id, inScope(workspace, work)),
    write: (workspace, work) => write(inScope(workspace, work)),
    unscoped: { kysely, read: (work) => reads.run(work), readLong: (work) => readLong(null, work), write },
    leaseRateLimit: null,
    // Counts what other connections commit, and the reader commits nothing.
    version: () => Number(dataVersion.get()?.['data_version']),
    async ready() {
      await kysely.selectFrom('schema_versions').select('version').executeTakeFirstOrThrow();
      await probeDisk(file);
    },
    pools: () => [
      { name: 'reads', ...(threads ?? reads).counts() },
      { name: 'writes', ...writes.counts() },
    ],
    findFileErrors: () => findFileErrors(kysely),
    space: () => fileSpace(file),
    async backup(target) {
      if (existsSync(target))
        throw new DatabaseUnavailableError(`${target} exists already: a backup overwrites nothing.`);
      const unfinished = `${target}.unfinished`;
      closeSync(openSync(unfinished, 'w', 0o600));
      const source = openReader(file, CACHE);
      try {
        // All pages in one step, in another thread: a step that ended early would start over after every write.
        await backup(source, unfinished, { rate: 2 ** 31 - 1 });
      } catch (error) {
        rmSync(unfinished);
        throw toDatabaseError(error);
      } finally {
        source.close();
      }
      renameSync(unfinished, target);
    },
    async close() {
      reader.close();
      await threads?.close();
      await reads.close();
      // The last to close, so that it can move the log into the file.
      await writes.close();
      serviceLock?.close();
    },
  };
}
