import type { Command } from 'commander';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { openDatabase } from '../database/openDatabase.ts';
import { lockService, pathOf } from '../database/sqlite/databaseFile.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { copyBeside, holdsData, placeOf, putInPlace, removeDatabase } from '../database/sqlite/restoreFile.ts';
import { copyFaults, schemaOf, verifyBackup } from '../database/sqlite/verifyBackup.ts';
import { listWorkspaces } from '../workspaces/store.ts';
import { faultsOf } from './check.ts';
import { CommandFailure } from './commandFailure.ts';
import { inWords, pathFromCaller } from './files.ts';
import { printable } from './printable.ts';
import type { RunClosed } from './run.ts';
import type { Terminal } from './terminal.ts';

/** Faults that are printed; all others are only counted. */
const SHOWN_MAX = 20;

type Options = { verify?: boolean; replace?: boolean };

export function addRestoreCommand(program: Command, run: RunClosed): void {
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
          throw new CommandFailure('PostgreSQL has ways of its own to restore: use pg_restore, or those of its host.');
        }
        const file = placeOf(pathOf(url));
        const lock = verify ? null : lockService(file);
        try {
          if (!verify && !replace && holdsData(file)) {
            throw new CommandFailure(`There is a database at ${file}: say --replace to put it aside.`);
          }
          const name = printable(backup, 200);
          const { copy, workspaces } = await checkedCopy(pathFromCaller(backup), name, file, terminal);
          const found = `${name} is whole (workspaces: ${workspaces})`;
          if (verify) {
            removeDatabase(copy);
            return { value: { workspaces }, text: `${found}. Nothing was changed.` };
          }
          const replaced = putInPlace(copy, file, new Date());
          const aside = replaced === null ? '' : ` What was there is ${replaced} now.`;
          return { value: { file, workspaces, replaced }, text: `${found} and is now ${file}.${aside}` };
        } finally {
          lock?.close();
        }
      }),
    );
}

/** A copy of the backup at `path` with the newest schema, beside `file`, after all of it was checked. Throws `CommandFailure`. */
async function checkedCopy(path: string, name: string, file: string, terminal: Terminal) {
  await checkBackup(path, name, terminal);
  let copy: string;
  try {
    copy = copyBeside(file, path);
  } catch (error) {
    throw inWords(error, `a copy of ${name}`, 'write');
  }
  try {
    const database = await openDatabase(`file:${copy}`);
    try {
      const workspaces = await listWorkspaces(database);
      const faults: string[] = [];
      for (const workspace of workspaces) faults.push(...(await faultsOf(workspace, database)));
      refuseFor(faults, name, terminal);
      return { copy, workspaces: workspaces.length };
    } finally {
      await database.close();
    }
  } catch (error) {
    removeDatabase(copy);
    throw error;
  }
}

/** Throws `CommandFailure` when there are `faults`. */
function refuseFor(faults: readonly string[], name: string, terminal: Terminal): void {
  if (faults.length === 0) return;
  for (const fault of faults.slice(0, SHOWN_MAX)) terminal.say(printable(fault, 300));
  throw new CommandFailure(`${name} is wrong in ${faults.length.toLocaleString('en')} ways.`);
}

/** Reads all of the backup, and changes nothing. Throws `CommandFailure`. */
async function checkBackup(path: string, name: string, terminal: Terminal): Promise<void> {
  try {
    accessSync(path, constants.R_OK);
    // To read a pipe would wait for somebody who writes to it.
    if (!statSync(path).isFile()) throw new CommandFailure(`${name} is no file.`);
  } catch (error) {
    throw inWords(error, name, 'read');
  }
  if (existsSync(`${path}-wal`)) {
    throw new CommandFailure(`${name} is no backup: there is a log beside it, in which the last writes are.`);
  }
  const faults = await verifyBackup(path);
  if (faults.length > 0) throw new CommandFailure(`${name} is not whole: ${faults.slice(0, 3).join('; ')}.`);
  const schema = await schemaOf(path);
  if (schema === null) throw new CommandFailure(`${name} is no database of Sendroom.`);
  if (schema > migrations.length) {
    throw new CommandFailure(
      `A newer version of Sendroom wrote ${name} (schema ${schema}, this version knows ${migrations.length}): run that version.`,
    );
  }
  // Before anything is written to a copy of it, which would run what somebody else put there.
  refuseFor(await copyFaults(path, schema), name, terminal);
}
