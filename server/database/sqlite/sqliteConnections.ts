import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import type { SchemaDialect } from '../migrations/migration.ts';

/** How tables are made in a file. */
export const SQLITE_DIALECT: SchemaDialect = { ordered: 'without rowid', unlogged: '', searchesIndexes: true };

/** Before 3.51.3 two connections could corrupt a file in WAL mode (https://sqlite.org/wal.html#walresetbug). */
const OLDEST_SQLITE = [3, 51, 3];
/** While a database is opened nothing else goes on, so that SQLite itself may wait for a lock. */
const OPEN_TIMEOUT_MS = 5_000;

/** A connection that cannot write. `cache` is KiB of pages that it keeps; the system keeps pages as well. */
export function openReader(file: string, cache: number): DatabaseSync {
  const database = new DatabaseSync(file, { readOnly: true, timeout: OPEN_TIMEOUT_MS });
  database.exec(`pragma cache_size = -${cache}`);
  // Asked by long statements now and then: a thread that is ended (readThreads.ts) answers nothing more, which ends them.
  database.function('still_wanted', () => 1);
  return database;
}

export function openWriter(file: string, cache: number): DatabaseSync {
  // The timeout comes first: two processes that switch to WAL at once would otherwise both fail.
  const database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
  const pragma = (name: string) => Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
  const version = String(database.prepare('select sqlite_version() as version').get()?.['version']);
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
  // A log that a large write has filled is cut to 64 MiB when it begins anew; else it would stay as large as it ever was.
  database.exec('pragma journal_size_limit = 67108864');
  // From here on transactions.ts waits.
  database.exec(`pragma cache_size = -${cache}; pragma busy_timeout = 0`);
  return database;
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  const at = than.findIndex((part, index) => part !== version[index]);
  return at !== -1 && (version[at] ?? 0) < (than[at] ?? 0);
}
