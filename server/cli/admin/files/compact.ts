import type { Command } from 'commander';
import type { RunWithDatabase } from '../runCommand.ts';

export function addCompactCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('compact')
    .description('write the whole database anew, so that nothing that was deleted is left in its files; writes wait')
    .action(() =>
      run(async (database) => {
        await database.compact();
        return { value: { compacted: true }, text: 'Nothing that was deleted is left in the files of the database.' };
      }),
    );
}
