import type { Command } from 'commander';
import { describeStep } from '../../../database/schema/migrate.ts';
import type { MigratedStep } from '../../../database/schema/schema.ts';
import { listWorkspaces } from '../../../workspaces/store.ts';
import type { RunWithDatabase } from '../runCommand.ts';

export function addMigrateCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('migrate')
    .description('update the schema of an older version; stop that version and make a backup first')
    .action(() => {
      const steps: MigratedStep[] = [];
      return run(
        async (database) => {
          const isNew = (await listWorkspaces(database)).length === 0;
          const text = `The schema is up to date.${isNew ? ' No workspaces yet.' : ''}`;
          return { value: { steps }, text };
        },
        {
          migrates: true,
          // At once: a later step may fail, or take long.
          onMigrated: (step) => {
            steps.push(step);
            process.stderr.write(`${describeStep(step)}\n`);
          },
        },
      );
    });
}
