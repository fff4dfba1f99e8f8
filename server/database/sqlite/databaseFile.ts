import { chmodSync, closeSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { DatabaseUnavailableError } from '../databaseErrors.ts';

const SQLITE_BUSY = 5;
/** Modes of files and folders. */
const OWNER_ONLY = 0o600;
const BY_OTHERS = 0o077;
const BY_EVERYBODY = 0o002;
const STICKY = 0o1000;

/** The file that `url` names. Throws `DatabaseUnavailable` when it names none. */
export function parseFileUrl(url: string): string {
  if (url.startsWith('file://')) return fileURLToPath(url);
  const path = url.slice('file:'.length);
  if (path === '' || path.startsWith(':') || path.includes('?')) {
    throw new DatabaseUnavailableError('DATABASE_URL must name a file, like file:data/sendroom.db.');
  }
  return resolve(path);
}

/**
 * The file, made if there is none; neither it nor its folder is readable by other users. Links are followed, so that one
 * database has one lock. Throws `DatabaseUnavailable` where others can reach it.
 */
export function createFile(path: string): string {
  return wrapOpenErrors(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', OWNER_ONLY));
    const file = realpathSync(path);
    keepToOwner(file);
    return file;
  });
}

/** Refuses what another user of the machine could read, or have changed. Nothing is mended: somebody has to look first. */
function keepToOwner(file: string): void {
  const { uid, nlink } = statSync(file);
  if (nlink > 1) {
    // The lock lies beside the name, and under the other name beside that.
    throw new DatabaseUnavailableError(
      `${file} has a second name (a hard link), under which another service could run on it: remove one of them.`,
    );
  }
  // Modes say nothing on Windows.
  if (process.getuid === undefined) return;
  const { mode } = statSync(dirname(file));
  if ((mode & BY_EVERYBODY) !== 0 && (mode & STICKY) === 0) {
    throw new DatabaseUnavailableError(
      `Every user of this machine can put another file in the place of ${file}: take that from them (chmod o-w on its folder).`,
    );
  }
  for (const part of [file, `${file}-wal`, `${file}-shm`]) {
    const stats = statSync(part, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    if ((stats.mode & BY_OTHERS) !== 0) {
      throw new DatabaseUnavailableError(
        `Other users of this machine can reach ${part}: take that from them (chmod 600), and look whether somebody changed it.`,
      );
    }
    // A log is read into the database. Root may work on a file of the service's own user.
    if (stats.uid !== uid && stats.uid !== 0) {
      throw new DatabaseUnavailableError(`${part} belongs to another user than ${file}: find out who put it there.`);
    }
  }
}

/**
 * Holds the lock of a second, empty database beside the file until the process ends, however it ends. A lock on the
 * file itself would shut out `npm run admin`, and a file with a process number would outlive a crash.
 */
export function lockService(file: string): DatabaseSync {
  return wrapOpenErrors(file, () => {
    const name = `${file}-service`;
    closeSync(openSync(name, 'a', OWNER_ONLY));
    // One that an older version made: who can read a lock can hold it.
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

/** What `open` gives; an error of the system becomes a sentence that names the file. */
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
