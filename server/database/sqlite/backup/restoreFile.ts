import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempDisposableSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { checkFolder } from '../databaseFile.ts';

/** Suffixes of the files next to a database in WAL mode. SQLite would apply a log that belongs to another file. */
const COMPANIONS = ['-wal', '-shm'];

/**
 * The real path of the file at `path`, which need not exist. Creates its folder if there is none. Throws
 * `DatabaseUnavailableError` where other users can replace the file.
 */
export function resolveDatabasePath(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
  checkFolder(file);
  return file;
}

/** Whether the file exists and is not empty. */
export function holdsData(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** A new folder next to `file`, for this user and process only. It is removed with its content. */
export function createFolderBeside(file: string): Disposable & { path: string } {
  return mkdtempDisposableSync(`${file}.restoring-`);
}

/** Copies `backup` into `folder`, with the owner of `file`, and gives the path of the copy. */
export function copyBackup(backup: string, folder: string, file: string): string {
  const copy = join(folder, basename(file));
  copyFileSync(backup, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  chmodSync(copy, 0o600);
  // Root may restore for the service's user.
  const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
  if (process.getuid?.() === 0) chownSync(copy, uid, gid);
  return copy;
}

/**
 * Renames `copy`, which no process has open, to `file`. An existing database is kept under another name, which is the
 * result; else null.
 */
export function replaceDatabase(copy: string, file: string, now: Date): string | null {
  sync(copy);
  const aside = existsSync(file) ? `${file}.replaced-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}` : null;
  if (aside !== null) {
    // A hard link keeps the old file until the copy is renamed. A kill in between leaves a file with two names, on
    // which no service starts.
    linkSync(file, aside);
    // The log may have the last writes of the old file.
    for (const part of COMPANIONS) if (existsSync(file + part)) renameSync(file + part, aside + part);
  }
  renameSync(copy, file);
  sync(dirname(file));
  return aside;
}

/** Writes a file or folder through to the disk. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
