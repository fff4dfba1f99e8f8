import type { Database, OpenOptions } from './database.ts';
import { DatabaseUnavailableError } from './databaseErrors.ts';
import { openPostgres } from './postgres/openPostgres.ts';
import { openSqlite } from './sqlite/openSqlite.ts';

/**
 * Opens the database at `url`, creates it if there is none, and brings its schema up to date. Throws
 * `DatabaseUnavailableError`.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  if (url.startsWith('file:')) return openSqlite(url, options);
  if (/^postgres(ql)?:/.test(url)) return openPostgres(url, options);
  throw new DatabaseUnavailableError(
    'DATABASE_URL must be like file:data/sendroom.db or postgres://user@localhost/sendroom.',
  );
}
