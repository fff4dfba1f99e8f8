import type { Command } from 'commander';
import { rmSync, statSync } from 'node:fs';
import { DatabaseFullError } from '../database/databaseErrors.ts';
import { verifyBackup } from '../database/sqlite/verifyBackup.ts';
import { listWorkspaces } from '../workspaces/store.ts';
import { toCommandError, resolveCallerPath } from '../terminal/files.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { CommandError } from '../terminal/terminal.ts';

export function addBackupCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('backup')
    .description('write a complete copy of the database, beside a running service too, and check the copy')
    .argument('<file>', 'a new file')
    .action((file: string) =>
      run(async (database) => {
        const path = resolveCallerPath(file);
        const name = toPrintable(file, 200);
        // Without this, a scheduled backup of the wrong database would go unnoticed.
        if ((await listWorkspaces(database)).length === 0) {
          throw new CommandError('The database holds no workspace: DATABASE_URL must be that of the service.');
        }
        try {
          await database.backup(path);
        } catch (error) {
          if (error instanceof DatabaseFullError) throw new CommandError(`There is no space left for ${name}.`);
          throw toCommandError(error, name, 'write');
        }
        const errors = await verifyBackup(path);
        if (errors.length > 0) {
          rmSync(path);
          throw new CommandError(`The copy was not whole and is removed: ${errors.slice(0, 3).join('; ')}.`);
        }
        const bytes = statSync(path).size;
        return {
          value: { file: path, bytes },
          text: `Wrote a whole copy of ${bytes.toLocaleString('en')} bytes to ${name}.`,
        };
      }),
    );
}
