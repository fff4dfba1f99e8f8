import type { Command } from 'commander';
import { fillSearchIndex } from '../../../database/search/searchContacts.ts';
import { copyTable, countRows, COPIED_TABLES, describeTableDifferences } from '../../../database/copyTables.ts';
import type { Transaction } from '../../../database/database.ts';
import { openDatabase } from '../../../database/openDatabase.ts';
import { toPrintable } from '../../terminal/printable.ts';
import { parsePostgresAddress } from '../arguments.ts';
import type { RunWithDatabase } from '../runCommand.ts';
import { startRowProgress } from '../../terminal/rowProgress.ts';
import { type Terminal, CommandError } from '../../terminal/terminal.ts';

const SHOWN_MAX = 20;

export function addMoveCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('move')
    .description('copy the file in DATABASE_URL to an empty PostgreSQL database and compare every row')
    .requiredOption('--to <url>', 'target, such as postgres://user@host/sendroom', parsePostgresAddress)
    .action((options: { to: string }) =>
      run(
        async (source, terminal) => {
          if ((await source.space()) === null) throw new CommandError('DATABASE_URL must name the file to move from.');
          const target = await openDatabase(options.to);
          try {
            // One transaction on each side: the file does not change meanwhile, and the copy is complete or missing.
            const rows = await source.unscoped.write((from) =>
              target.unscoped.write((to) => copyAndCompare(from, to, terminal)),
            );
            const warning = await target.analyze();
            if (warning !== null) terminal.say(toPrintable(warning, 500));
            const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
            const [copied, tables] = [total, COPIED_TABLES.length].map((count) => count.toLocaleString('en'));
            return {
              value: { rows },
              text: `Copied and compared ${copied} rows of ${tables} tables. Start the service with the new DATABASE_URL; the file is unchanged.`,
            };
          } finally {
            await target.close();
          }
        },
        // Locks the file like a service: a running service would accept writes that are not copied.
        { isService: true },
      ),
    );
}

async function copyAndCompare(from: Transaction, to: Transaction, terminal: Terminal): Promise<Record<string, number>> {
  // A database without workspaces is empty.
  if ((await countRows(from, 'workspaces')) === 0) {
    throw new CommandError('The file has no workspace. Use the DATABASE_URL of the service.');
  }
  if ((await countRows(to, 'workspaces')) > 0) {
    throw new CommandError("The target database isn't empty.");
  }
  const counts: Record<string, number> = {};
  for (const table of COPIED_TABLES) counts[table] = await countRows(from, table);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);

  const progress = (act: string) => {
    const show = startRowProgress(terminal, `rows ${act}`);
    let done = 0;
    return (rows: number) => {
      done += rows;
      show(done, done / all);
    };
  };
  const onCopied = progress('copied');
  for (const table of COPIED_TABLES) await copyTable(table, from, to, onCopied);
  await fillSearchIndex(to);

  const onCompared = progress('compared');
  let differences = 0;
  for (const table of COPIED_TABLES) {
    for await (const difference of describeTableDifferences(table, from, to, onCompared)) {
      differences++;
      if (differences <= SHOWN_MAX) terminal.say(toPrintable(difference, 300));
    }
  }
  if (differences > 0) {
    throw new CommandError(
      `The copy differed from the file and was discarded. Differences: ${differences.toLocaleString('en')}.`,
    );
  }
  return counts;
}
