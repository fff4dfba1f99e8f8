import { DatabaseSync } from 'node:sqlite';
import { DatabaseBusyError } from '../databaseErrors.ts';
import { codeOf, SQLITE_BUSY, toDatabaseError } from './sqliteErrors.ts';

/** Milliseconds. A command does nothing else meanwhile. */
const WAIT_MS = 10_000;

/** Rewrites the file and empties its write-ahead log, to purge deleted data. Throws `DatabaseBusyError`. */
export async function compactFile(file: string): Promise<void> {
  const database = new DatabaseSync(file, { timeout: WAIT_MS });
  try {
    // The index keeps the words of deleted texts until its parts are merged.
    database.exec(`insert into contact_search (contact_search) values ('optimize')`);
    database.exec('vacuum');
    const { busy } = database.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number };
    if (busy !== 0) throw new DatabaseBusyError(null, 'Somebody reads the database, so its log cannot be emptied.');
  } catch (error) {
    throw codeOf(error) === SQLITE_BUSY ? new DatabaseBusyError(error) : toDatabaseError(error);
  } finally {
    database.close();
  }
}
