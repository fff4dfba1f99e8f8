import type { Command } from 'commander';
import { constants, copyFileSync, statSync } from 'node:fs';
import { DatabaseFullError } from '../../../database/databaseErrors.ts';
import { timestamp } from '../../../database/timestamp.ts';
import { listWorkspaces } from '../../../workspaces/store.ts';
import { storeBackup } from '../../../workspaces/upkeep.ts';
import { resolveCallerPath, writeNewFile } from '../../terminal/files.ts';
import { toPrintable } from '../../terminal/printable.ts';
import type { RunWithDatabase } from '../runCommand.ts';
import { CommandError, type Terminal } from '../../terminal/terminal.ts';
import { InconsistentError, verifyCopy } from './verifyCopy.ts';

export function addBackupCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('backup')
    .description('write and verify a complete copy of the database; the service may be running')
    .argument('<file>', 'a new file')
    .action((file: string) =>
      run(async (database, terminal) => {
        const name = toPrintable(file, 200);
        // Without this, a scheduled backup of the wrong database would go unnoticed.
        if ((await listWorkspaces(database)).length === 0) {
          throw new CommandError('The database has no workspace. Use the DATABASE_URL of the service.');
        }
        const { bytes, inconsistency } = await writeNewFile(file, async (path) => {
          await database.backup(path);
          return { bytes: statSync(path).size, inconsistency: await verifyWritten(path, name, terminal) };
        }).catch((error: unknown) => {
          throw error instanceof DatabaseFullError ? new CommandError(`No space left for ${name}.`) : error;
        });
        if (inconsistency !== null) {
          throw new CommandError(
            `${inconsistency.message} It's kept, but restore refuses it. The database has the same errors.`,
          );
        }
        await storeBackup(database, Date.now());
        return {
          value: { file: resolveCallerPath(file), bytes },
          text: `Wrote a verified copy of ${bytes.toLocaleString('en')} bytes to ${name}.`,
        };
      }),
    );

  program
    .command('backup-done')
    .description('record that another program has just written a backup, for the alarm on its age')
    .action(() =>
      run(async (database) => {
        const now = Date.now();
        await storeBackup(database, now);
        return { value: { written_at: timestamp(now) }, text: 'Recorded the backup.' };
      }),
    );
}

/** Throws where the copy is damaged. Verifying writes to what it verifies, so it gets a copy of its own next to `path`. */
async function verifyWritten(path: string, name: string, terminal: Terminal): Promise<InconsistentError | null> {
  const copy = `${path}.verifying`;
  copyFileSync(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  try {
    await verifyCopy(copy, name, terminal);
    return null;
  } catch (error) {
    if (error instanceof InconsistentError) return error;
    throw error;
  }
}
