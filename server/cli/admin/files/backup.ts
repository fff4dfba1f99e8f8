import type { Command } from 'commander';
import { statSync } from 'node:fs';
import { DatabaseFullError } from '../../../database/databaseErrors.ts';
import { timestamp } from '../../../database/timestamp.ts';
import { verifyBackup } from '../../../database/sqlite/backup/verifyBackup.ts';
import { listWorkspaces } from '../../../workspaces/store.ts';
import { storeBackup } from '../../../workspaces/upkeep.ts';
import { resolveCallerPath, writeNewFile } from '../../terminal/files.ts';
import { toPrintable } from '../../terminal/printable.ts';
import type { RunWithDatabase } from '../runCommand.ts';
import { CommandError } from '../../terminal/terminal.ts';

export function addBackupCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('backup')
    .description('write and verify a complete copy of the database; the service may be running')
    .argument('<file>', 'a new file')
    .action((file: string) =>
      run(async (database) => {
        const name = toPrintable(file, 200);
        // Without this, a scheduled backup of the wrong database would go unnoticed.
        if ((await listWorkspaces(database)).length === 0) {
          throw new CommandError('The database has no workspace. Use the DATABASE_URL of the service.');
        }
        const bytes = await writeNewFile(file, async (path) => {
          await database.backup(path);
          const errors = await verifyBackup(path);
          if (errors.length > 0) {
            throw new CommandError(`The copy was damaged and has been removed: ${errors.slice(0, 3).join('; ')}.`);
          }
          return statSync(path).size;
        }).catch((error: unknown) => {
          throw error instanceof DatabaseFullError ? new CommandError(`No space left for ${name}.`) : error;
        });
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
