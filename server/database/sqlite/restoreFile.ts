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

/** Beside a file in WAL mode; a log that belongs to another file would be read into it. */
const COMPANIONS = ['-wal', '-shm'];

/** Where the file at `path` is or will be; links are followed. Its folder is made if there is none. */
export function resolveDatabasePath(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return existsSync(path) ? realpathSync(path) : join(realpathSync(dirname(path)), basename(path));
}

export function holdsData(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Copies `backup` beside `file`, under a name that nobody looks for, for the user whom `file` belongs to; gives that name. */
export function copyBackupBeside(file: string, backup: string): string {
  const copy = `${file}.restoring`;
  removeDatabase(copy);
  try {
    copyFileSync(backup, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    chmodSync(copy, 0o600);
    // Root may restore for the user of the service.
    const { uid, gid } = statSync(existsSync(file) ? file : dirname(file));
    if (process.getuid?.() === 0) chownSync(copy, uid, gid);
    return copy;
  } catch (error) {
    removeDatabase(copy);
    throw error;
  }
}

/** Puts `copy`, which nobody has open, in the place of `file`, and what was there aside; gives the name that it has then, or null. */
export function replaceDatabase(copy: string, file: string, now: Date): string | null {
  sync(copy);
  const aside = existsSync(file) ? `${file}.replaced-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}` : null;
  if (aside !== null) {
    // Two names until the copy has taken one of them: whoever is killed in between leaves a file that no service starts on.
    linkSync(file, aside);
    // The log goes with its file, for it may hold the last writes.
    for (const part of COMPANIONS) if (existsSync(file + part)) renameSync(file + part, aside + part);
  }
  renameSync(copy, file);
  sync(dirname(file));
  return aside;
}

export function removeDatabase(file: string): void {
  for (const part of ['', ...COMPANIONS]) rmSync(file + part, { force: true });
}

/** What a power cut does not undo. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
