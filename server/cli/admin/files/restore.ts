import type { Command } from 'commander';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { openDatabase } from '../../../database/openDatabase.ts';
import { lockService, parseFileUrl } from '../../../database/sqlite/databaseFile.ts';
import { migrations } from '../../../database/schema/schema.ts';
import {
  copyBackup,
  createFolderBeside,
  holdsData,
  resolveDatabasePath,
  replaceDatabase,
} from '../../../database/sqlite/backup/restoreFile.ts';
import { findBackupErrors, readSchemaVersion, verifyBackup } from '../../../database/sqlite/backup/verifyBackup.ts';
import { listWorkspaces } from '../../../workspaces/store.ts';
import { verifyWorkspace, sayFirst } from '../verify.ts';
import { toCommandError, resolveCallerPath } from '../../terminal/files.ts';
import { toPrintable } from '../../terminal/printable.ts';
import type { RunWithDatabaseUrl } from '../runCommand.ts';
import { type Terminal, CommandError } from '../../terminal/terminal.ts';

type Options = { verify?: boolean; replace?: boolean };

export function addRestoreCommand(program: Command, run: RunWithDatabaseUrl): void {
  program
    .command('restore')
    .description(
      'check a backup and put it in the place of the file that DATABASE_URL names; the service must be stopped',
    )
    .argument('<file>', 'what backup wrote')
    .option('--verify', 'only check it, beside a running service too')
    .option('--replace', 'put a database that is there aside')
    .action((backup: string, { verify = false, replace = false }: Options) =>
      run(async (url, terminal) => {
        if (!url.startsWith('file:')) {
          throw new CommandError('PostgreSQL has ways of its own to restore: use pg_restore, or those of its host.');
        }
        const file = resolveDatabasePath(parseFileUrl(url));
        const lock = verify ? null : lockService(file);
        try {
          if (!verify && !replace && holdsData(file)) {
            throw new CommandError(`There is a database at ${file}: say --replace to put it aside.`);
          }
          const name = toPrintable(backup, 200);
          const path = resolveCallerPath(backup);
          checkReadable(path, name);
          // All checks are of the copy: somebody who can write to the backup could change it after them.
          using folder = write(name, () => createFolderBeside(file));
          const copy = write(name, () => copyBackup(path, folder.path, file));
          await checkBackup(copy, name, terminal);
          const workspaces = await checkCopy(copy, name, terminal);
          const found = `${name} is whole (workspaces: ${workspaces})`;
          if (verify) return { value: { workspaces }, text: `${found}. Nothing was changed.` };
          const replaced = replaceDatabase(copy, file, new Date());
          const aside = replaced === null ? '' : ` What was there is ${replaced} now.`;
          return { value: { file, workspaces, replaced }, text: `${found} and is now ${file}.${aside}` };
        } finally {
          lock?.close();
        }
      }),
    );
}

/** Gives what `work` gives. Its errors become `CommandError` where they are of the disk. */
function write<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw toCommandError(error, `a copy of ${name}`, 'write');
  }
}

/** Brings a copy to the newest schema, checks it, and gives the number of its workspaces. Throws `CommandError`. */
async function checkCopy(copy: string, name: string, terminal: Terminal): Promise<number> {
  const database = await openDatabase(`file:${copy}`, { migrates: true });
  try {
    const workspaces = await listWorkspaces(database);
    let errors: string[] = [];
    for (const workspace of workspaces) errors = errors.concat(await verifyWorkspace(workspace, database));
    throwIfInconsistent(errors, name, terminal);
    return workspaces.length;
  } finally {
    await database.close();
  }
}

/** Prints the errors and throws `CommandError` when there are any. */
function throwIfInconsistent(errors: readonly string[], name: string, terminal: Terminal): void {
  if (errors.length === 0) return;
  sayFirst(errors, terminal);
  throw new CommandError(`${name} is wrong in ${errors.length.toLocaleString('en')} ways.`);
}

/** Throws `CommandError` where there is no backup to copy. */
function checkReadable(path: string, name: string): void {
  try {
    accessSync(path, constants.R_OK);
    // Reading a pipe would wait for a writer.
    if (!statSync(path).isFile()) throw new CommandError(`${name} is no file.`);
  } catch (error) {
    throw toCommandError(error, name, 'read');
  }
  if (existsSync(`${path}-wal`)) {
    throw new CommandError(`${name} is no backup: there is a log beside it, in which the last writes are.`);
  }
}

/** Checks the copy of a backup without changing it. Throws `CommandError`. */
async function checkBackup(path: string, name: string, terminal: Terminal): Promise<void> {
  const errors = await verifyBackup(path);
  if (errors.length > 0) throw new CommandError(`${name} is not whole: ${errors.slice(0, 3).join('; ')}.`);
  const schema = await readSchemaVersion(path);
  if (schema === null) throw new CommandError(`${name} is no database of Sendroom.`);
  if (schema > migrations.length) {
    throw new CommandError(
      `A newer version of Sendroom wrote ${name} (schema ${schema}, this version knows ${migrations.length}): run that version.`,
    );
  }
  // Before migrations run on a copy: triggers in a manipulated file would run with them.
  throwIfInconsistent(await findBackupErrors(path, schema), name, terminal);
}
