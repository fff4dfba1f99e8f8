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
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Suffixes of the files beside a database in WAL mode. SQLite would apply a log that belongs to another file. */
const COMPANIONS = ['-wal', '-shm'];

/** The real path of the file at `path`, which need not exist. Creates its folder if there is none. */
export function resolveDatabasePath(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

/** Whether the file exists and is not empty. */
export function holdsData(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Copies `backup` beside `file` under another name, with the owner of `file`, and gives that name. */
export function copyBackupBeside(file: string, backup: string): string {
  const copy = `${file}.restoring`;
  removeDatabase(copy);
  try {
    copyFileSync(backup, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    chmodSync(copy, 0o600);
    // Root may restore for the service's user.
    const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
    if (process.getuid?.() === 0) chownSync(copy, uid, gid);
    return copy;
  } catch (error) {
    removeDatabase(copy);
    throw error;
  }
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

/** Removes a database with its log; there may be none. */
export function removeDatabase(file: string): void {
  for (const part of ['', ...COMPANIONS]) rmSync(file + part, { force: true });
}

/** Writes a file or folder through to the disk. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
