import { DatabaseSync } from 'node:sqlite';
import { must } from '#contract/values/must.ts';
import { DatabaseUnavailableError } from '../databaseErrors.ts';

/** Before 3.51.3 two connections could corrupt a file in WAL mode (https://sqlite.org/wal.html#walresetbug). */
const OLDEST_SQLITE = [3, 51, 3];
/** Milliseconds. While a database is opened the process does nothing else, so SQLite itself may block for a lock. */
const OPEN_TIMEOUT_MS = 5_000;

/** Opens a read-only connection. `cacheKiB` is how much of the file it may keep in memory. */
export function openReader(file: string, cacheKiB: number): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: OPEN_TIMEOUT_MS });
  database.exec(`pragma cache_size = -${cacheKiB}`);
  // Called by `cancellationCheck`. In a terminated thread (readThreads.ts) the call fails, which ends the statement.
  database.function('still_wanted', () => 1);
  return database;
}

/** Of the connection that writes: the KiB of the file that it may keep in memory, and after how many pages in the log (WAL) a commit moves them into the file. */
export type WriterSizes = { cache: number; logPages: number };

/** Opens the connection that writes, with durable commits in WAL mode. Throws `DatabaseUnavailableError`. */
export function openWriter(file: string, { cache, logPages }: WriterSizes): DatabaseSync {
  // With a timeout, because two processes that switch to WAL at once would otherwise both fail.
  const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
  const pragma = (name: string) => Object.values(must(database.prepare(`pragma ${name}`).get()))[0];
  const version = String(must(database.prepare('select sqlite_version() as version').get())['version']);
  if (isOlder(version.split('.').map(Number), OLDEST_SQLITE)) {
    throw new DatabaseUnavailableError(
      `SQLite ${version} can lose data in the way Sendroom uses it: ${OLDEST_SQLITE.join('.')} or later is needed.`,
    );
  }
  const mode = pragma('journal_mode = wal');
  database.exec('pragma synchronous = full');
  if (mode !== 'wal' || pragma('synchronous') !== 2) {
    throw new DatabaseUnavailableError(`The disk of ${file} cannot keep a database that survives a power cut.`);
  }
  // When the log starts over it is truncated to 64 MiB. Otherwise it would keep the size of the largest write.
  database.exec(`pragma journal_size_limit = 67108864; pragma wal_autocheckpoint = ${logPages}`);
  // From here on transactions.ts waits for locks.
  database.exec(`pragma cache_size = -${cache}; pragma busy_timeout = 0`);
  return database;
}

function isOlder(version: readonly number[], other: readonly number[]): boolean {
  const index = other.findIndex((part, at) => part !== version[at]);
  return index !== -1 && (version[index] ?? 0) < must(other[index]);
}
