import { Kysely } from 'kysely';
import { closeSync, existsSync, mkdirSync, openSync, realpathSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { Database, OpenOptions } from './database.ts';
import { DatabaseUnavailable } from './failures.ts';
import { migrate } from './migrate.ts';
import { sqliteDialect } from './sqlite.ts';
import type { Tables } from './tables.ts';

/** Before 3.51.3 two connections could corrupt a file in WAL mode (https://sqlite.org/wal.html#walresetbug). */
const OLDEST_SQLITE = [3, 51, 3];
/** While a database is opened nothing else goes on, so that SQLite itself may wait for a lock. */
const OPEN_TIMEOUT_MS = 5_000;
const CACHE_KIB = 64 * 1024;
const SQLITE_BUSY = 5;

/**
 * One connection writes and another reads: in WAL mode a read neither waits for a write nor sees half of one, and it
 * sees every write whose transaction has ended.
 */
export async function openSqlite(url: string, { exclusiveService = false }: OpenOptions): Promise<Database> {
  const file = createFile(pathOf(url));
  const serviceLock = exclusiveService ? inWords(file, () => lockService(file)) : null;
  const writer = inWords(file, () => openWriter(file));
  const writing = new Kysely<Tables>({ dialect: sqliteDialect(writer, 'begin immediate') });
  const write: Database['write'] = (work) => writing.transaction().execute(work);

  try {
    await migrate({ write }, { ordered: 'without rowid' });
  } catch (error) {
    writer.close();
    serviceLock?.close();
    throw error;
  }

  const reader = new DatabaseSync(file, { readOnly: true, timeout: OPEN_TIMEOUT_MS });
  reader.exec(`pragma cache_size = -${CACHE_KIB}`);
  const reading = new Kysely<Tables>({ dialect: sqliteDialect(reader, 'begin') });

  return {
    kysely: reading,
    read: (work) => reading.transaction().execute(work),
    write,
    async ready() {
      await reading.selectFrom('schema_versions').select('version').executeTakeFirstOrThrow();
    },
    async backup(target) {
      if (existsSync(target)) throw new DatabaseUnavailable(`${target} exists already: a backup overwrites nothing.`);
      const unfinished = `${target}.unfinished`;
      closeSync(openSync(unfinished, 'w', 0o600));
      const source = new DatabaseSync(file, { readOnly: true, timeout: OPEN_TIMEOUT_MS });
      try {
        // All pages in one step, in another thread: a step that ended early would start over after every write.
        await backup(source, unfinished, { rate: 2 ** 31 - 1 });
      } finally {
        source.close();
      }
      renameSync(unfinished, target);
    },
    async close() {
      for (const kysely of [reading, writing]) {
        await kysely.connection().execute(async () => {});
        await kysely.destroy();
      }
      serviceLock?.close();
    },
  };
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
  // From here on the dialect waits by itself.
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
    throw new DatabaseUnavailable(`Another Sendroom service is running on ${file}.`);
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
