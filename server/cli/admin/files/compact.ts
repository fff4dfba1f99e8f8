import type { Command } from 'commander';
import type { RunWithDatabase } from '../runCommand.ts';

export function addCompactCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('compact')
    .description('rewrite the database to purge deleted data; writes wait')
    .action(() =>
      run(async (database) => {
        await database.compact();
        return { value: { compacted: true }, text: 'Deleted data is purged from the database files.' };
      }),
    );
}
