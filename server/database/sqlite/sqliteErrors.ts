import { DatabaseFullError, DatabaseGoneError } from '../databaseErrors.ts';

// Extended result codes: https://www.sqlite.org/rescode.html

export const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_IOERR_FSYNC = SQLITE_IOERR | (4 << 8);
const SQLITE_IOERR_DIR_FSYNC = SQLITE_IOERR | (5 << 8);
/** The disk has no room for a larger index of the write-ahead log. */
const SQLITE_IOERR_SHMSIZE = SQLITE_IOERR | (19 << 8);

/** The extended result code of SQLite; null for other errors. */
export function codeOf(error: unknown): number | null {
  const errcode = (error as { errcode?: unknown } | null | undefined)?.errcode;
  return typeof errcode === 'number' ? errcode : null;
}

/** `error` of SQLite as one of databaseErrors.ts. A bug of ours, such as bad SQL, stays as it is. */
export function toDatabaseError(error: unknown): unknown {
  const code = codeOf(error);
  if (code === null) return error;
  if (code === SQLITE_FULL || code === SQLITE_IOERR_SHMSIZE) return new DatabaseFullError(error);
  // The lower eight bits are the primary result code.
  const kind = code & 0xff;
  if (kind === SQLITE_IOERR || kind === SQLITE_CANTOPEN) {
    return new DatabaseGoneError(error, 'The disk of the database fails.');
  }
  return error;
}

/**
 * The same for an error in a write. A read-only error here comes from the disk or the file, because the connection
 * may write.
 */
export function toWriteError(error: unknown): unknown {
  if (((codeOf(error) ?? 0) & 0xff) !== SQLITE_READONLY) return toDatabaseError(error);
  return new DatabaseGoneError(error, 'The database takes no writes: its disk or its file is read-only.');
}

/**
 * Whether an fsync failed. The operating system reports that once. From then on its cache may differ from the disk, and reads do
 * not show it.
 */
export function isFsyncError(error: unknown): boolean {
  const code = codeOf(error instanceof DatabaseGoneError ? error.cause : error);
  return code === SQLITE_IOERR_FSYNC || code === SQLITE_IOERR_DIR_FSYNC;
}
