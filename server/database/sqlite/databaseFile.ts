import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { DatabaseUnavailableError } from '../databaseErrors.ts';

const SQLITE_BUSY = 5;
/** Mode bits of files and folders. */
const OWNER_ONLY = 0o600;
const BY_OTHERS = 0o077;
const BY_EVERYBODY = 0o002;
const STICKY = 0o1000;

/** The path of the file that `url` names. Throws `DatabaseUnavailableError` when it names none. */
export function parseFileUrl(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  const path = url.slice('file:'.length);
  if (path === '' || path.startsWith(':') || path.includes('?')) {
    throw new DatabaseUnavailableError('DATABASE_URL must name a file, like file:data/sendroom.db.');
  }
  return resolve(path);
}

/**
 * Creates the file at `path` if there is none, readable only by its owner, and gives its real path. Links are followed, so that
 * one database has one lock. Throws `DatabaseUnavailableError` where other users can read or replace the file.
 */
export function createFile(path: string): string {
  return wrapOpenErrors(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', OWNER_ONLY));
    const file = realpathSync(path);
    checkPermissions(file);
    return file;
  });
}

/** Rejects unsafe permissions, but doesn't change them: somebody has to check first what was done with them. */
function checkPermissions(file: string): void {
  const { uid, nlink } = statSync(file);
  if (nlink > 1) {
    // The lock is a file next to this name. Under the other name there would be a second lock.
    throw new DatabaseUnavailableError(
      `${file} has a second name (a hard link), under which another service could run on it: remove one of them.`,
    );
  }
  // Windows has no such modes.
  if (process.getuid === undefined) return;
  checkFolder(file);
  for (const part of [file, `${file}-wal`, `${file}-shm`]) {
    const stats = statSync(part, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if ((stats.mode & BY_OTHERS) !== 0) {
      throw new DatabaseUnavailableError(
        `Other users of this machine can reach ${part}: take that from them (chmod 600), and look whether somebody changed it.`,
      );
    }
    // SQLite applies a log of another user to the database. Root may own one, having worked on the file of the
    // service's user.
    if (stats.uid !== uid && stats.uid !== 0) {
      throw new DatabaseUnavailableError(`${part} belongs to another user than ${file}: find out who put it there.`);
    }
  }
}

/** Throws `DatabaseUnavailableError` where every user of the machine can replace `file`, which need not exist. */
export function checkFolder(file: string): void {
  if (process.getuid === undefined) return;
  const { mode } = statSync(dirname(file));
  if ((mode & BY_EVERYBODY) !== 0 && (mode & STICKY) === 0) {
    throw new DatabaseUnavailableError(
      `Every user of this machine can put another file in the place of ${file}: take that from them (chmod o-w on its folder).`,
    );
  }
}

/**
 * Locks a second, empty database next to the file, until the result is closed or the process ends in any way. A lock on the file
 * itself would block `npm run admin`, and a file with a process id would remain after a crash. Throws `DatabaseUnavailableError`
 * when another service has the lock.
 */
export function lockService(file: string): DatabaseSync {
  return wrapOpenErrors(file, () => {
    const name = `${file}-service`;
    closeSync(openSync(name, 'a', OWNER_ONLY));
    // Older versions let other users read it, and who can read the file can take the lock.
    chmodSync(name, OWNER_ONLY);
    const lock = new DatabaseSync(name, { timeout: 0 });
    try {
      lock.exec('begin exclusive');
      return lock;
    } catch (error) {
      lock.close();
      if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
      throw new DatabaseUnavailableError(
        `Another Sendroom service is running on ${file}: stop it, or set DATABASE_URL to another file.`,
      );
    }
  });
}

/** Runs `open`. Its errors become `DatabaseUnavailableError` with a sentence that names the file. */
export function wrapOpenErrors<Result>(path: string, open: () => Result): Result {
  try {
    return open();
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) throw error;
    throw new DatabaseUnavailableError(`The database ${path} cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
