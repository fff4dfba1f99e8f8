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
          await checkBackup(copy, name, terminal);
          const workspaces = await checkCopy(copy, name, terminal);
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

function throwIfInconsistent(errors: readonly string[], name: string, terminal: Terminal): void {
  if (errors.length === 0) return;
  sayFirst(errors, terminal);
  throw new CommandError(`${name} has errors: ${errors.length.toLocaleString('en')}.`);
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

async function checkBackup(path: string, name: string, terminal: Terminal): Promise<void> {
  const errors = await verifyBackup(path);
  if (errors.length > 0) throw new CommandError(`${name} is damaged: ${errors.slice(0, 3).join('; ')}.`);
  const schema = await readSchemaVersion(path);
  if (schema === null) throw new CommandError(`${name} isn't a Sendroom database.`);
  if (schema > migrations.length) {
    throw new CommandError(
      `${name} was written by a newer version of Sendroom (schema ${schema}, this version supports ${migrations.length}). Use that version.`,
    );
  }
  // Before migrations run on a copy: triggers in a manipulated file would run with them.
  throwIfInconsistent(await findBackupErrors(path, schema), name, terminal);
}
