import type { Command } from 'commander';
import { verifyLog } from '../../auditLog/verifyLog.ts';
import { verifyIndexes } from '../../contacts/attributeIndex/manageIndexes.ts';
import { CONTACT_KEYS, EVENT_NAME_KEYS } from '../../contacts/contactRow.ts';
import { SUPPRESSIONS } from '../../contacts/suppressions.ts';
import { verifyHistory } from '../../contacts/verifyHistory.ts';
import { verifyIdentities } from '../../contacts/verifyIdentities.ts';
import type { Database } from '../../database/database.ts';
import { COUNTED_COLUMNS, RULES } from '../../database/schema/derived.ts';
import { type OnRows, verifyCounted, verifyFolded, verifyRule } from '../../database/schema/verifyDerived.ts';
import { rebuildSearchIndex, verifySearchIndex } from '../../database/search/searchContacts.ts';
import type { Workspace } from '../../database/workspace.ts';
import { ADDRESS_KEYS, DOMAIN_COLUMNS } from '../../domains/countStates.ts';
import { verifyCheckTimes } from '../../domains/checks/checkTimes.ts';
import { verifySpans } from '../../domains/history/verifySpans.ts';
import { MEMBER_KEYS } from '../../members/members.ts';
import { verifyDeliveryTimes } from '../../notifications/setBack.ts';
import { verifyNotifications } from '../../notifications/verifyNotifications.ts';
import { verifyErasures } from '../../privacy/verifyErasures.ts';
import { storeVerification } from '../../workspaces/upkeep.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { workspaceCommand } from './arguments.ts';
import type { RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

const SHOWN_MAX = 20;

export function addVerifyCommand(program: Command, run: RunWithDatabase): void {
  workspaceCommand(program, 'verify', 'verify search index, counters and change log against the data')
    .option('--rebuild', 'first rewrite counters, sort keys and indexes from the data; writes wait')
    .action((options: { workspace: string; rebuild?: boolean }) =>
      run(async (database, terminal) => {
        const workspace = await requireWorkspace(database, options.workspace);
        if (options.rebuild === true) await rebuildWorkspace(workspace, database, terminal);
        terminal.progress(null, 'verifying the file');
        const fileErrors = await database.findFileErrors();
        const now = Date.now();
        const errors = [
          ...fileErrors,
          ...(await verifyWorkspace(workspace, database, terminal)),
          ...(await verifyCheckTimes(workspace, database, now)),
          ...(await verifyDeliveryTimes(workspace, database, now)),
        ];
        sayFirst(errors, terminal);
        if (errors.length === 0) await storeVerification(workspace, database, now);
        const count = errors.length.toLocaleString('en');
        const text = errors.length === 0 ? 'No errors found.' : `Errors found: ${count}.`;
        return { value: { errors: errors.length }, text, isPartial: errors.length > 0 };
      }),
    );
}

export function sayFirst(errors: readonly string[], terminal: Terminal): void {
  for (const error of errors.slice(0, SHOWN_MAX)) terminal.say(toPrintable(error, 300));
}

const FOLDED_COLUMNS = [CONTACT_KEYS, SUPPRESSIONS, EVENT_NAME_KEYS, DOMAIN_COLUMNS, ADDRESS_KEYS, MEMBER_KEYS];

type Verify = (workspace: Workspace, database: Database, onRows: OnRows) => Promise<string[]>;

const STEPS: readonly (readonly [what: string, verify: Verify])[] = [
  ...FOLDED_COLUMNS.map((folded): [string, Verify] => [
    `${folded.table}: ${folded.columns.join(', ')}`,
    (workspace, db, onRows) => verifyFolded([workspace, db], folded, onRows),
  ]),
  ...COUNTED_COLUMNS.map((counted): [string, Verify] => [
    `${counted.table}: ${counted.column}`,
    (workspace, db) => db.read(workspace, (scope) => verifyCounted(scope, counted)),
  ]),
  ...RULES.map((rule): [string, Verify] => [
    rule.error,
    (workspace, db) => db.read(workspace, (scope) => verifyRule(scope, rule)),
  ]),
  ['identities', verifyIdentities],
  ['attribute indexes', verifyIndexes],
  ['search index', (workspace, db) => db.read(workspace, verifySearchIndex)],
  ['log', verifyLog],
  ['history of contacts', verifyHistory],
  ['history of domains', verifySpans],
  ['notifications', verifyNotifications],
  ['erasures', verifyErasures],
];

export async function verifyWorkspace(workspace: Workspace, db: Database, terminal?: Terminal): Promise<string[]> {
  let errors: string[] = [];
  for (const [at, [what, verify]] of STEPS.entries()) {
    const text = `verifying ${at + 1} of ${STEPS.length}: ${what}`;
    // Clears, so that the new step shows immediately.
    terminal?.clear();
    terminal?.progress(null, text);
    const onRows = (rows: number) => terminal?.progress(null, `${text} (${rows.toLocaleString('en')} rows)`);
    errors = errors.concat(await verify(workspace, db, onRows));
  }
  return errors;
}

/** Rewrites what `verifyWorkspace` compares with a right value, except identities; the search index of all workspaces. */
export async function rebuildWorkspace(workspace: Workspace, db: Database, terminal?: Terminal): Promise<void> {
  // Counted columns first: those of new rows are then folded. Domain states are folded, and counted by workspace again.
  const count = async () => {
    for (const counted of COUNTED_COLUMNS) await db.write(workspace, (scope) => verifyCounted(scope, counted, true));
  };
  await count();
  for (const folded of FOLDED_COLUMNS) {
    const onRows = (rows: number) =>
      terminal?.progress(null, `rebuilding ${folded.table} (${rows.toLocaleString('en')} rows)`);
    await verifyFolded([workspace, db], folded, onRows, true);
  }
  await count();
  const onRows = (rows: number) =>
    terminal?.progress(null, `rebuilding indexes of attributes (${rows.toLocaleString('en')} contacts)`);
  await verifyIndexes(workspace, db, onRows, true);
  terminal?.progress(null, 'rebuilding the search index');
  await db.unscoped.write(rebuildSearchIndex);
}
