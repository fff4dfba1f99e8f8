import type { Command } from 'commander';
import { rmSync, statSync } from 'node:fs';
import { DatabaseFull } from '../database/failures.ts';
import { verifyBackup } from '../database/sqlite/verifyBackup.ts';
import { listWorkspaces } from '../workspaces/store.ts';
import { CommandFailure } from './commandFailure.ts';
import { inWords, pathFromCaller } from './files.ts';
import { printable } from './printable.ts';
import type { Run } from './run.ts';

export function addBackupCommand(program: Command, run: Run): void {
  program
    .command('backup')
    .description('write a complete copy of the database, beside a running service too, and check the copy')
    .argument('<file>', 'a new file')
    .action((file: string) =>
      run(async (database) => {
        const path = pathFromCaller(file);
        const name = printable(file, 200);
        // A scheduled backup of the wrong place shall not go unnoticed until it is needed.
        if ((await listWorkspaces(database)).length === 0) {
          throw new CommandFailure('The database holds no workspace: DATABASE_URL must be that of the service.');
        }
        try {
          await database.backup(path);
        } catch (error) {
          if (error instanceof DatabaseFull) throw new CommandFailure(`There is no space left for ${name}.`);
          throw inWords(error, name, 'write');
        }
        const faults = await verifyBackup(path);
        if (faults.length > 0) {
          rmSync(path);
          throw new CommandFailure(`The copy was not whole and is removed: ${faults.slice(0, 3).join('; ')}.`);
        }
        const bytes = statSync(path).size;
        return {
          value: { file: path, bytes },
          text: `Wrote a whole copy of ${bytes.toLocaleString('en')} bytes to ${name}.`,
        };
      }),
    );
}
