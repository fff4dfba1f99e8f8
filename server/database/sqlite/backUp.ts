import { closeSync, existsSync, openSync } from 'node:fs';
import { backup } from 'node:sqlite';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import { openReader } from './sqliteConnections.ts';
import { toDatabaseError } from './sqliteErrors.ts';

/** All pages in one step: a step that ended early would start over after every write. */
const PAGES_PER_STEP = 2 ** 31 - 1;

/**
 * Copies the database in `file` to the new file `target`, which only its owner may read, in another thread, while reads and writes go on.
 * `cacheKiB` is what the connection may keep in memory. After an error `target` and its journal may be there. Throws
 * `DatabaseUnavailableError` when `target` exists.
 */
export async function backUp(file: string, target: string, cacheKiB: number): Promise<void> {
  if (existsSync(target)) throw new DatabaseUnavailableError(`${target} exists already: a backup overwrites nothing.`);
  closeSync(openSync(target, 'wx', 0o600));
  const source = openReader(file, cacheKiB);
  try {
    await backup(source, target, { rate: PAGES_PER_STEP });
  } catch (error) {
    throw toDatabaseError(error);
  } finally {
    source.close();
  }
}
