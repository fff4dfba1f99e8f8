import type { Command } from 'commander';
import { countUndone, type UndoneContact, undoImport } from '../../contacts/undoImport.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError, type Terminal } from '../terminal/terminal.ts';
import { parseUuid, workspaceCommand } from './arguments.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

type Options = { workspace: string; dryRun?: boolean };

const SHOWN_MAX = 100;

export function addUndoCommand(program: Command, run: RunWithDatabase): void {
  workspaceCommand(program, 'undo', 'undo what an import of contacts changed; what changed since stays')
    .argument('<run>', 'the run that the import printed', parseUuid)
    .option('--dry-run', 'only say what an undo would do')
    .action((uuid: string, options: Options) =>
      run(async (database, terminal) => {
        const workspace = await requireWorkspace(database, options.workspace);
        const isDryRun = options.dryRun === true;
        const report = { restored: 0, resubscribed: 0, left: 0, erased: 0, undone_before: 0 };
        const onUndone = (contacts: readonly UndoneContact[]) => {
          for (const contact of contacts)
            if (contact.left.length > 0 && ++report.left <= SHOWN_MAX) sayLeft(terminal, contact);
          const counts = countUndone(contacts);
          for (const name of ['restored', 'resubscribed', 'erased', 'undone_before'] as const)
            report[name] += counts[name];
          terminal.progress(null, `${report.restored} contacts`);
        };
        const done = await undoImport(workspace, database, { run: uuid, isDryRun, now: Date.now(), onUndone });
        if (done === undefined) throw new CommandError('There is no import of contacts with this run.');
        return toResult({ ...report, ...done }, isDryRun);
      }),
    );
}

function sayLeft(terminal: Terminal, { uuid, address, left }: UndoneContact): void {
  const fields = left.map(
    ({ field, why }) => `${toPrintable(field.replace(/^attributes\./, ''))} (${toPrintable(why)})`,
  );
  const who = address === null ? uuid : `${uuid} (${toPrintable(address)})`;
  terminal.say(`${who}: left as it is: ${fields.join(', ')}`);
}

type Report = Record<'restored' | 'resubscribed' | 'left' | 'erased' | 'undone_before', number> & {
  added: number | null;
};

function toResult(report: Report, isDryRun: boolean): CommandResult {
  const { restored, resubscribed, left, erased, undone_before, added } = report;
  const others = [
    ...(left > 0 ? [`${count(left)} with fields left as they are`] : []),
    ...(undone_before > 0 ? [`${count(undone_before)} undone before`] : []),
    ...(erased > 0 ? [`${count(erased)} erased since`] : []),
  ];
  const what = `${count(restored)} ${restored === 1 ? 'contact' : 'contacts'} set back, ${count(resubscribed)} of them subscribed again`;
  const sentences = [
    `${isDryRun ? 'Nothing was changed. An undo would be: ' : 'Undone: '}${[what, ...others].join('; ')}.`,
    added === null
      ? 'The import never ended. Contacts that it added stay.'
      : `Contacts that it added stay: ${count(added)}.`,
  ];
  return { value: report, text: sentences.join('\n'), isPartial: left > 0 };
}

function count(value: number): string {
  return value.toLocaleString('en');
}
