import type { Command } from 'commander';
import { checkChanges } from '../../contacts/checkChanges.ts';
import { checkCounters } from '../../contacts/checkCounters.ts';
import { checkUnsubscribeCounts } from '../../contacts/overview.ts';
import { checkRecords } from '../../contacts/checkRecords.ts';
import { rebuildSearchIndex } from '../../database/search/searchContacts.ts';
import type { Database } from '../../database/database.ts';
import { checkLog } from '../../auditLog/checkLog.ts';
import { checkErasures } from '../../privacy/checkErasures.ts';
import { checkDomainStates } from '../../domains/countStates.ts';
import { checkKeys } from '../../domains/checkKeys.ts';
import { checkMembers } from '../../members/checkMembers.ts';
import { checkListTotals, checkNextContactId } from '../../workspaces/checkLists.ts';
import type { Tables } from '../../database/schema/tables.ts';
import type { Workspace } from '../../database/workspace.ts';
import { parseUuid } from './arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

/** Errors that are printed. All others are only counted. */
const SHOWN_MAX = 20;

export function addCheckCommand(program: Command, run: RunWithDatabase): void {
  program
    .command('check')
    .description(
      'look whether contacts are found by what they hold, counters are right, and the log of changes agrees with the contacts',
    )
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .option('--rebuild-search', 'first write the search index of all workspaces anew; writes wait meanwhile')
    .action((options: { workspace: string; rebuildSearch?: boolean }) =>
      run(async (database, terminal) => {
        const workspace = await requireWorkspace(database, options.workspace);
        if (options.rebuildSearch === true) await database.unscoped.write(rebuildSearchIndex);
        terminal.progress(null, 'checking the file');
        const fileErrors = await database.findFileErrors();
        const errors = [...fileErrors, ...(await findInconsistencies(workspace, database, terminal))];
        sayFirst(errors, terminal);
        const text =
          errors.length === 0
            ? 'All counters are right, and the log agrees with every contact.'
            : `Found wrong: ${errors.length.toLocaleString('en')}.`;
        return { value: { faults: errors.length }, text, isPartial: errors.length > 0 };
      }),
    );
}

/** Prints the first of `errors`. */
export function sayFirst(errors: readonly string[], terminal: Terminal): void {
  for (const error of errors.slice(0, SHOWN_MAX)) terminal.say(toPrintable(error, 300));
}

/** Gives one sentence for each error in the rows of a workspace. `onProgress` is called with the share that is done, if at all. */
type Check = (workspace: Workspace, database: Database, onProgress: (share: number) => void) => Promise<string[]>;

/** The checks that read each table. A table without derived rows or columns needs none. */
const CHECKS: Record<keyof Tables, readonly Check[]> = {
  contacts: [checkRecords, checkListTotals, checkCounters, checkChanges],
  identities: [checkRecords, checkErasures],
  events: [checkCounters],
  event_names: [checkCounters],
  changes: [checkLog, checkChanges, checkUnsubscribeCounts],
  change_values: [checkLog, checkChanges],
  erasures: [checkErasures, checkCounters],
  erased_identities: [checkErasures],
  unsubscribe_counts: [checkUnsubscribeCounts],
  workspaces: [checkNextContactId, checkListTotals, checkLog],
  domains: [checkListTotals, checkDomainStates, checkKeys],
  addresses: [checkListTotals, checkKeys],
  dns_records: [checkDomainStates],
  members: [checkMembers],
  // Found by their own key only.
  tokens: [],
  sessions: [],
  sign_in_codes: [],
  people: [],
  // No content.
  allowances: [],
  schema_versions: [],
};

/** Runs every check once, and shows on `terminal` which one, and how much of it is done. */
export async function findInconsistencies(
  workspace: Workspace,
  database: Database,
  terminal?: Terminal,
): Promise<string[]> {
  let errors: string[] = [];
  const checks = new Set(Object.values(CHECKS).flat());
  let step = 0;
  for (const check of checks) {
    step++;
    const tables = Object.entries(CHECKS).flatMap(([table, of]) =>
      of.includes(check) ? [table.replaceAll('_', ' ')] : [],
    );
    const text = `checking ${step} of ${checks.size}: ${tables.join(', ')}`;
    // At once, also where another text was shown just before.
    terminal?.clear();
    terminal?.progress(null, text);
    errors = errors.concat(await check(workspace, database, (share) => terminal?.progress(share, text)));
  }
  return errors;
}
