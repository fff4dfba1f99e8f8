import { openDatabase } from '../../../database/openDatabase.ts';
import { migrations } from '../../../database/schema/schema.ts';
import { findBackupErrors, readSchemaVersion, verifyBackup } from '../../../database/sqlite/backup/verifyBackup.ts';
import { listWorkspaces } from '../../../workspaces/store.ts';
import { CommandError, type Terminal } from '../../terminal/terminal.ts';
import { sayFirst, verifyWorkspace } from '../verify.ts';

/**
 * Verifies the copy of a database at `path`, updates its schema, and gives its number of workspaces. What `backup` calls verified and what
 * `restore` accepts is this. Throws a `CommandError` with a sentence that names it `name`: `InconsistentError` where the copy is whole,
 * and what it holds is wrong.
 */
export async function verifyCopy(path: string, name: string, terminal: Terminal): Promise<number> {
  const damage = await verifyBackup(path);
  if (damage.length > 0) throw new CommandError(`${name} is damaged: ${damage.slice(0, 3).join('; ')}.`);
  const schema = await readSchemaVersion(path);
  if (schema === null) throw new CommandError(`${name} isn't a Sendroom database.`);
  if (schema > migrations.length) {
    throw new CommandError(
      `${name} was written by a newer version of Sendroom (schema ${schema}, this version supports ${migrations.length}). Use that version.`,
    );
  }
  // Before migrations run on a copy: triggers in a manipulated file would run with them.
  throwIfInconsistent(await findBackupErrors(path, schema), name, terminal);
  return verifyContent(path, name, terminal);
}

/** Of a copy that is whole. */
export class InconsistentError extends CommandError {}

async function verifyContent(path: string, name: string, terminal: Terminal): Promise<number> {
  const database = await openDatabase(`file:${path}`, { migrates: true });
  try {
    const workspaces = await listWorkspaces(database);
    let errors: string[] = [];
    for (const workspace of workspaces) errors = errors.concat(await verifyWorkspace(workspace, database, terminal));
    throwIfInconsistent(errors, name, terminal);
    return workspaces.length;
  } finally {
    await database.close();
  }
}

function throwIfInconsistent(errors: readonly string[], name: string, terminal: Terminal): void {
  if (errors.length === 0) return;
  sayFirst(errors, terminal);
  throw new InconsistentError(`${name} has errors: ${errors.length.toLocaleString('en')}.`);
}
