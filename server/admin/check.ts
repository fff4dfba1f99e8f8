import type { Command } from 'commander';
import { checkCounters } from '../contacts/checkCounters.ts';
import { uuid } from './arguments.ts';
import { printable } from './printable.ts';
import type { Run } from './run.ts';
import { workspaceOf } from './workspace.ts';

/** Faults that are printed; all others are only counted. */
const SHOWN_MAX = 20;

export function addCheckCommand(program: Command, run: Run): void {
  program
    .command('check')
    .description('count all events again and compare with the counters that lists rely on')
    .requiredOption('--workspace <uuid>', 'ID of the workspace', uuid)
    .action((options: { workspace: string }) =>
      run(async (database, terminal) => {
        const faults = await checkCounters(await workspaceOf(database, options.workspace), database);
        for (const fault of faults.slice(0, SHOWN_MAX)) terminal.say(printable(fault, 300));
        const text =
          faults.length === 0 ? 'All counters are right.' : `Wrong counters: ${faults.length.toLocaleString('en')}.`;
        return { value: { faults: faults.length }, text, isPartial: faults.length > 0 };
      }),
    );
}
