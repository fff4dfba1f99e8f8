import type { Command } from 'commander';
import { checkChanges } from '../contacts/checkChanges.ts';
import { checkCounters } from '../contacts/checkCounters.ts';
import { checkRecords } from '../contacts/checkRecords.ts';
import type { Database } from '../database/database.ts';
import { checkListTotals } from '../workspaces/checkLists.ts';
import type { Workspace } from '../database/workspace.ts';
import { parseUuid } from './arguments.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

/** Faults that are printed; all others are only counted. */
const SHOWN_MAX = 20;

export function addCheckCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('check')
    .description(
      'look whether contacts are found by what they hold, counters are right, and the log of changes agrees with the contacts',
    )
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .action((options: { workspace: string }) =>
      run(async (database, terminal) => {
        const workspace = await requireWorkspace(database, options.workspace);
        const file = await database.findFileErrors();
        const faults = [...file, ...(await findInconsistencies(workspace, database))];
        for (const fault of faults.slice(0, SHOWN_MAX)) terminal.say(toPrintable(fault, 300));
        const text =
          faults.length === 0
            ? 'All counters are right, and the log agrees with every contact.'
            : `Found wrong: ${faults.length.toLocaleString('en')}.`;
        return { value: { faults: faults.length }, text, isPartial: faults.length > 0 };
      }),
    );
}

/** In one sentence each: contacts that cannot be read or found, where counters and lists are wrong, and where the log and a contact disagree. */
export async function findInconsistencies(workspace: Workspace, database: Database): Promise<string[]> {
  const records = await checkRecords(workspace, database);
  const lists = await checkListTotals(workspace, database);
  const counters = await checkCounters(workspace, database);
  const changes = await checkChanges(workspace, database);
  return [...records, ...lists, ...counters, ...changes];
}
