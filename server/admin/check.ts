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

/** Inconsistencies that are printed. All others are only counted. */
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
        const fileErrors = await database.findFileErrors();
        const errors = [...fileErrors, ...(await findInconsistencies(workspace, database))];
        for (const error of errors.slice(0, SHOWN_MAX)) terminal.say(toPrintable(error, 300));
        const text =
          errors.length === 0
            ? 'All counters are right, and the log agrees with every contact.'
            : `Found wrong: ${errors.length.toLocaleString('en')}.`;
        return { value: { faults: errors.length }, text, isPartial: errors.length > 0 };
      }),
    );
}

/**
 * Finds contacts that cannot be read or found, wrong counters and totals, and contradictions between the change log and
 * the contacts. One sentence each.
 */
export async function findInconsistencies(workspace: Workspace, database: Database): Promise<string[]> {
  const records = await checkRecords(workspace, database);
  const lists = await checkListTotals(workspace, database);
  const counters = await checkCounters(workspace, database);
  const changes = await checkChanges(workspace, database);
  return [...records, ...lists, ...counters, ...changes];
}
