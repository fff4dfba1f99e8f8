import { closeSync, existsSync, mkdirSync, openSync, realpathSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Database, OpenOptions } from './database.ts';
import { DatabaseUnavailable } from './failures.ts';
import { migrate } from './migrate.ts';
import { kyselyOn } from './sqlite.ts';
import { READ, transactionsOn, WRITE } from './transactions.ts';

/** Before 3.51.3 two connections could corrupt a file in WAL mode (https://sqlite.org/wal.html#walresetbug). */
const OLDEST_SQLITE = [3, 51, 3];
/** While a database is opened nothing else goes on, so that SQLite itself may wait for a lock. */
const OPEN_TIMEOUT_MS = 5_000;
/** Of each of three connections, all of which fill it in time when the file is large; the system keeps pages as well. */
const CACHE_KIB = 40 * 1024;
const SQLITE_BUSY = 5;

/**
 * In WAL mode reads neither wait for a write nor see half of one, and they see every write that has ended. Reads that
 * belong together have a connection of their own, so that a single read beside them is never answered from their view.
 */
export async function openSqlite(url: string, { exclusiveService = false, steps }: OpenOptions): Promise<Database> {
  const file = createFile(pathOf(url));
  const serviceLock = exclusiveService ? inWords(file, () => lockService(file)) : null;
  const writes = transactionsOn(
    inWords(file, () => openWriter(file)),
    WRITE,
  );
  // One write at a time is all that SQLite does, whichever workspace it is for.
  const write: Database['write'] = (_, work) => writes.run(work);
  try {
    await migrate({ write }, { ordered: 'without rowid', passing: '', searchesIndexes: true }, steps);
  } catch (error) {
    await writes.close();
    serviceLock?.close();
    throw error;
  }
  const reads = transactionsOn(openReader(file), READ);
  const reader = openReader(file);
  const kysely = kyselyOn(reader);
  const dataVersion = reader.prepare('pragma data_version');

  return {
    kysely,
    readOne: (_, work) => work(kysely),
    read: (_, work) => reads.run(work),
    write,
    takeAllowance: null,
    // Counts what other connections commit, and the reader commits nothing.
    version: () => Number(dataVersion.get()?.['data_version']),
    async ready() {
      await kysely.selectFrom('schema_versions').select('version').executeTakeFirstOrThrow();
    },
    async backup(target) {
      if (existsSync(target)) throw new DatabaseUnavailable(`${target} exists already: a backup overwrites nothing.`);
      const unfinished = `${target}.unfinished`;
      closeSync(openSync(unfinished, 'w', 0o600));
      const source = openReader(file);
      try {
        // All pages in one step, in another thread: a step that ended early would start over after every write.
        await backup(source, unfinished, { rate: 2 ** 31 - 1 });
      } finally {
        source.close();
      }
      renameSync(unfinished, target);
    },
    async close() {
      reader.close();
      await reads.close();
      // The last to close, so that it can move the log into the file.
      await writes.close();
      serviceLock?.close();
    },
  };
}

function openReader(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: OPEN_TIMEOUT_MS });
  database.exec(`pragma cache_size = -${CACHE_KIB}`);
  return database;
}

function openWriter(file: string): DatabaseSync {
  // The timeout comes first: two processes that switch to WAL at once would otherwise both fail.
  const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
  const pragma = (name: string) => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
  const version = String(database.prepare('select sqlite_version() as version').get()?.['version']);
  if (isOlder(version.split('.').map(Number), OLDEST_SQLITE)) {
    throw new DatabaseUnavailable(
      `SQLite ${version} can lose data in the way Sendroom uses it: ${OLDEST_SQLITE.join('.')} or later is needed.`,
    );
  }
  const mode = pragma('journal_mode = wal');
  database.exec('pragma synchronous = full');
  if (mode !== 'wal' || pragma('synchronous') !== 2) {
    throw new DatabaseUnavailable(`The disk of ${file} cannot keep a database that survives a power cut.`);
  }
  // From here on transactions.ts waits.
  database.exec(`pragma cache_size = -${CACHE_KIB}; pragma busy_timeout = 0`);
  return database;
}

/**
 * Holds the lock of a second, empty database beside the file until the process ends, however it ends. A lock on the
 * file itself would shut out `npm run admin`, and a file with a process number would outlive a crash.
 */
function lockService(file: string): DatabaseSync {
  const lock = new DatabaseSync(`${file}-service`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
    throw new DatabaseUnavailable(
      `Another Sendroom service is running on ${file}: stop it, or set DATABASE_URL to another file.`,
    );
  }
}

function pathOf(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  const path = url.slice('file:'.length);
  if (path === '' || path.startsWith(':') || path.includes('?')) {
    throw new DatabaseUnavailable('DATABASE_URL must name a file, like file:data/sendroom.db.');
  }
  return resolve(path);
}

/** The file, made if there is none; neither it nor its folder is readable by other users. Links are followed, so that one database has one lock. */
function createFile(path: string): string {
  return inWords(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    return realpathSync(path);
  });
}

function inWords<Result>(path: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    throw new DatabaseUnavailable(`The database ${path} cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const at = than.findIndex((part, index) => part !== version[index]);
  return at !== -1 && (version[at] ?? 0) < (than[at] ?? 0);
}
