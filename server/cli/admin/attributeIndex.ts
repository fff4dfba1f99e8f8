import { type Command, InvalidArgumentError } from 'commander';
import { validateAttributes } from '../../contacts/attributes.ts';
import { addIndex, INDEXES_MAX, listIndexes, removeIndex } from '../../contacts/attributeIndex/manageIndexes.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError, type Terminal } from '../terminal/terminal.ts';
import { workspaceCommand } from './arguments.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';

type Options = { workspace: string };

export function addIndexCommands(program: Command, run: RunWithDatabase): void {
  const index = program.command('index').description('manage the attributes that large workspaces filter contacts by');

  workspaceCommand(index, 'add', 'index an attribute of contacts; a repeat continues after an interruption')
    .argument('<attribute>', 'name of the attribute', parseName)
    .action((name: string, { workspace }: Options) =>
      run(async (db, terminal) => {
        const target = await requireWorkspace(db, workspace);
        const outcome = await addIndex(target, db, name, show(terminal, 'indexed', 'contacts'));
        const shown = toPrintable(name);
        if (outcome === 'full')
          throw new CommandError(`A workspace has at most ${INDEXES_MAX} indexes. Remove one first.`);
        if (outcome === 'removed')
          throw new CommandError(`The index of ${shown} is being removed. Run index remove first.`);
        const warning = outcome === 'added' ? await db.analyze() : null;
        if (warning !== null) terminal.say(warning);
        const text = outcome === 'added' ? `Contacts can be filtered by ${shown}.` : `${shown} has an index already.`;
        return { value: { attribute: name, added: outcome === 'added' }, text };
      }),
    );

  workspaceCommand(index, 'list', 'list the indexed attributes').action(({ workspace }: Options) =>
    run(async (db): Promise<CommandResult> => {
      const indexes = await listIndexes(await requireWorkspace(db, workspace), db);
      const value = indexes.map(({ name, state }) => ({ attribute: name, state }));
      const lines = value.map(({ attribute, state }) => `${toPrintable(attribute)}  ${state}`);
      return { value, text: lines.join('\n') || 'No indexes yet.' };
    }),
  );

  workspaceCommand(index, 'remove', 'remove the index of an attribute; contacts keep their values')
    .argument('<attribute>', 'name of the attribute', parseName)
    .action((name: string, { workspace }: Options) =>
      run(async (db, terminal) => {
        const target = await requireWorkspace(db, workspace);
        const isRemoved = await removeIndex(target, db, name, show(terminal, 'removed', 'values'));
        if (!isRemoved) throw new CommandError(`${toPrintable(name)} has no index. See index list.`);
        return { value: { attribute: name }, text: `Removed the index of ${toPrintable(name)}.` };
      }),
    );
}

const show = (terminal: Terminal, verb: string, what: string) => (rows: number) =>
  terminal.progress(null, `${verb} ${rows.toLocaleString('en')} ${what}`);

function parseName(name: string): string {
  const [error] = validateAttributes({ [name]: '' });
  if (name === '' || error !== undefined) throw new InvalidArgumentError(error?.message ?? 'It is empty.');
  return name;
}
