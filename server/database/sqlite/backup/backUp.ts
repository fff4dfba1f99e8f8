import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DatabaseUnavailableError } from '../../databaseErrors.ts';
import { openReader } from '../sqliteConnections.ts';
import { toDatabaseError } from '../sqliteErrors.ts';

/**
 * Writes what the database in `file` has to the new file `target`, which only its owner may read, while other processes read and write.
 * A copy of all pages would have rows that were deleted. `cacheKiB` is what a connection may keep in memory. After an error `target` and
 * its journal may be there. Throws `DatabaseUnavailableError` when `target` exists.
 */
export async function backUp(file: string, target: string, cacheKiB: number): Promise<void> {
  if (existsSync(target)) throw new DatabaseUnavailableError(`${target} exists already: a backup overwrites nothing.`);
  const descriptor = openSync(target, 'wx', 0o600);
  try {
    writeCopy(file, target, cacheKiB);
    dropDeletedWords(target, cacheKiB);
    fsyncSync(descriptor);
  } catch (error) {
    throw toDatabaseError(error);
  } finally {
    closeSync(descriptor);
  }
}

function writeCopy(file: string, target: string, cacheKiB: number): void {
  const source = openReader(file, cacheKiB);
  try {
    source.prepare('vacuum into ?').run(target);
  } finally {
    source.close();
  }
}

/** The search index keeps the words of deleted texts until its parts are merged. That takes half as long again, so only after an erasure. */
function dropDeletedWords(target: string, cacheKiB: number): void {
  const copy = new DatabaseSync(target);
  try {
    copy.exec(`pragma cache_size = -${cacheKiB}`);
    if (copy.prepare('select 1 from erasures limit 1').get() === undefined) return;
    // The pages that become free are overwritten.
    copy.exec('pragma secure_delete = on');
    copy.exec(`insert into contact_search (contact_search) values ('optimize')`);
  } finally {
    copy.close();
  }
}
