import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import { backup } from 'node:sqlite';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import { openReader } from './sqliteConnections.ts';
import { toDatabaseError } from './sqliteErrors.ts';

/** All pages in one step: a step that ended early would start over after every write. */
const PAGES_PER_STEP = 2 ** 31 - 1;

/**
 * Copies the database in `file` to `target`, in another thread, while reads and writes go on. `target` appears when the copy is
 * complete. `cacheKiB` is what the connection may keep in memory. Throws `DatabaseUnavailableError` when `target` exists.
 */
export async function backUp(file: string, target: string, cacheKiB: number): Promise<void> {
  if (existsSync(target)) throw new DatabaseUnavailableError(`${target} exists already: a backup overwrites nothing.`);
  const unfinished = `${target}.unfinished`;
  closeSync(openSync(unfinished, 'w', 0o600));
  const source = openReader(file, cacheKiB);
  try {
    await backup(source, unfinished, { rate: PAGES_PER_STEP });
  } catch (error) {
    rmSync(unfinished);
    throw toDatabaseError(error);
  } finally {
    source.close();
  }
  renameSync(unfinished, target);
}
