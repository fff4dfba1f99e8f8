import type { Command } from 'commander';
import { describeStep } from '../database/migrate.ts';
import type { MigratedStep } from '../database/migrations/migration.ts';
import type { RunWithDatabase } from './runCommand.ts';

export function addMigrateCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('migrate')
    .description('bring the schema that an older version wrote up to date; stop that version and make a backup first')
    .action(() => {
      const steps: MigratedStep[] = [];
      return run(
        () => {
          const text = [...steps.map(describeStep), 'The schema is up to date.'].join('\n');
          return Promise.resolve({ value: { steps }, text });
        },
        { migrates: true, onMigrated: (step) => steps.push(step) },
      );
    });
}
