import type { Command } from 'commander';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { lockService, parseFileUrl } from '../../../database/sqlite/databaseFile.ts';
import {
  copyBackup,
  createFolderBeside,
  holdsData,
  resolveDatabasePath,
  replaceDatabase,
} from '../../../database/sqlite/backup/restoreFile.ts';
import { toCommandError, resolveCallerPath } from '../../terminal/files.ts';
import { toPrintable } from '../../terminal/printable.ts';
import type { RunWithDatabaseUrl } from '../runCommand.ts';
import { CommandError } from '../../terminal/terminal.ts';
import { verifyCopy } from './verifyCopy.ts';

type Options = { verify?: boolean; replace?: boolean };

export function addRestoreCommand(program: Command, run: RunWithDatabaseUrl): void {
  program
    .command('restore')
    .description('verify a backup and replace the file in DATABASE_URL with it; stop the service first')
    .argument('<file>', 'a file that backup wrote')
    .option('--verify', 'only verify it; the service may be running')
    .option('--replace', 'keep the existing database under another name')
    .action((backup: string, { verify = false, replace = false }: Options) =>
      run(async (url, terminal) => {
        if (!url.startsWith('file:')) {
          throw new CommandError("Restore PostgreSQL with pg_restore or your host's tools.");
        }
        const file = resolveDatabasePath(parseFileUrl(url));
        const lock = verify ? null : lockService(file);
        try {
          if (!verify && !replace && holdsData(file)) {
            throw new CommandError(`A database exists at ${file}. Add --replace to keep it under another name.`);
          }
          const name = toPrintable(backup, 200);
          const path = resolveCallerPath(backup);
          checkReadable(path, name);
          // All checks are of the copy: somebody who can write to the backup could change it after them.
          using folder = write(name, () => createFolderBeside(file));
          const copy = write(name, () => copyBackup(path, folder.path, file));
          const workspaces = await verifyCopy(copy, name, terminal);
          const found = `${name} is intact (workspaces: ${workspaces})`;
          if (verify) return { value: { workspaces }, text: `${found}. Nothing was changed.` };
          const replaced = replaceDatabase(copy, file, new Date());
          const aside = replaced === null ? '' : ` The previous database is now ${replaced}.`;
          return { value: { file, workspaces, replaced }, text: `${found} and is now ${file}.${aside}` };
        } finally {
          lock?.close();
        }
      }),
    );
}

function write<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toCommandError(error, `a copy of ${name}`, 'write');
  }
}

function checkReadable(path: string, name: string): void {
  try {
    accessSync(path, constants.R_OK);
    // Reading a pipe would wait for a writer.
    if (!statSync(path).isFile()) throw new CommandError(`${name} isn't a file.`);
  } catch (error) {
    throw toCommandError(error, name, 'read');
  }
  if (existsSync(`${path}-wal`)) {
    throw new CommandError(`${name} isn't a backup: its last writes are in the log file next to it.`);
  }
}
