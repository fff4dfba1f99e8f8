import { splitHidden } from '#contract/values/invisibleCharacters.ts';
import type { Command } from 'commander';
import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';
import { readAnswer } from '../terminal/readAnswer.ts';
import { isMoving } from '../../workspaces/move.ts';
import { countContents, deleteWorkspace } from '../../workspaces/deleteWorkspace.ts';
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  renameWorkspace,
  setSuspended,
} from '../../workspaces/store.ts';
import { parseAttributeName, parseName, workspaceCommand } from './arguments.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { CommandError, type Terminal } from '../terminal/terminal.ts';

/** Returns the command that they are part of. */
export function addWorkspaceCommands(program: Command, run: RunWithDatabase): Command {
  const workspace = program.command('workspace').description('manage workspaces');

  workspace
    .command('create')
    .description('create an empty workspace')
    .requiredOption('--name <name>', 'its name', parseName)
    .option(
      '--identity-field <attribute>',
      'attribute that identifies contacts, besides email and phone',
      parseAttributeName,
    )
    .action((options: { name: string; identityField?: string }) =>
      run(async (db) => {
        await requireFreeName(db, options.name, null);
        const made = await createWorkspace(
          db,
          { name: options.name, identity_field: options.identityField ?? null },
          Date.now(),
        );
        return {
          value: { uuid: made.uuid },
          text: `Created the workspace ${made.name}:\n  workspace ID  ${made.uuid}`,
        };
      }),
    );

  workspace
    .command('list')
    .description('list all workspaces, oldest first')
    .action(() => run(async (db) => toWorkspaceList(await listWorkspaces(db))));

  workspaceCommand(workspace, 'rename', 'rename a workspace')
    .requiredOption('--name <name>', 'new name', parseName)
    .action((options: { workspace: string; name: string }) =>
      run(async (db) => {
        const target = await requireWorkspace(db, options.workspace);
        await requireFreeName(db, options.name, target.uuid);
        await renameWorkspace(target, db, options.name, Date.now());
        const text = `The workspace ${toPrintable(target.name)} is now called ${toPrintable(options.name)}.`;
        return { value: { uuid: target.uuid, name: options.name }, text };
      }),
    );

  workspaceCommand(
    workspace,
    'delete',
    'delete a workspace and everything in it, including its log; export it or make a backup first',
  )
    .option('--name <name>', 'its name, to skip the confirmation')
    .action((options: { workspace: string; name?: string }) =>
      run(async (db, terminal) =>
        deleteAfterQuestion(await requireWorkspace(db, options.workspace), db, terminal, options),
      ),
    );
  addSuspendCommands(workspace, run);
  return workspace;
}

function addSuspendCommands(workspace: Command, run: RunWithDatabase): void {
  for (const [verb, suspended, effect] of [
    ['suspend', true, 'refuse all requests of a workspace and keep its data'],
    ['resume', false, 'accept requests of a suspended workspace again'],
  ] as const) {
    workspaceCommand(workspace, verb, effect).action((options: { workspace: string }) =>
      run(async (db) => {
        const target = await requireWorkspace(db, options.workspace);
        if (target.moved_to !== null) throw new CommandError(`This workspace has moved to ${target.moved_to}.`);
        await setSuspended(target, db, suspended);
        const text = `The workspace ${toPrintable(target.name)} is now ${suspended ? 'suspended' : 'active'}.`;
        return { value: { uuid: target.uuid, suspended }, text };
      }),
    );
  }
}

async function requireFreeName(db: Database, name: string, own: string | null): Promise<void> {
  const taken = (await listWorkspaces(db)).find((other) => other.uuid !== own && fold(other.name) === fold(name));
  if (taken !== undefined) throw new CommandError(`The workspace ${taken.uuid} already has this name.`);
}

/** Letter case, the number of blanks and hidden characters do not count: nobody would see them in a list. */
function fold(name: string): string {
  const seen = splitHidden(name).flatMap(({ text, isHidden }) => (isHidden ? [] : text));
  return seen.join('').normalize('NFKC').toUpperCase().toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

async function deleteAfterQuestion(
  workspace: Workspace,
  db: Database,
  terminal: Terminal,
  { name }: { name?: string },
): Promise<CommandResult> {
  if (await isMoving(db, workspace)) throw new CommandError('This workspace is moving. Finish or cancel that first.');
  const contents = await countContents(workspace, db);
  const { log_hash, ...counts } = contents;
  const listed = Object.entries(counts).map(
    ([what, rows]) => `${what.replaceAll('_', ' ')}: ${rows.toLocaleString('en')}`,
  );
  const title = toPrintable(workspace.name, Infinity);
  terminal.say(`To delete: the workspace ${title}, ${workspace.uuid}, with ${listed.join(', ')}.`);
  terminal.say('To keep a copy, stop here and run export, log export or backup first.');
  if (name === undefined) terminal.say(`This can't be undone. Type the name of the workspace to continue:`);
  const typed = (name ?? (await readAnswer())).normalize('NFC');
  // As it is shown: nobody can type an invisible character.
  if (typed !== workspace.name.normalize('NFC') && typed !== title)
    throw new CommandError("The name doesn't match. Nothing was deleted.");
  let deleted = 0;
  await deleteWorkspace(workspace, db, (rows) =>
    terminal.progress(null, `deleted ${(deleted += rows).toLocaleString('en')} rows`),
  );
  const at = new Date().toISOString();
  return {
    value: { uuid: workspace.uuid, name: workspace.name, deleted_at: at, ...contents },
    // Its own log is gone: this is what is left to keep.
    text: `Deleted the workspace ${title}, ${workspace.uuid}, at ${at}, with ${listed.join(', ')}. Last hash of its log: ${log_hash || 'none'}`,
  };
}

export async function requireWorkspace(db: Database, uuid: string): Promise<Workspace> {
  const workspace = await findWorkspace(db, uuid);
  if (workspace === null) throw new CommandError('Unknown workspace. See workspace list.');
  return workspace;
}

function toWorkspaceList(workspaces: Workspace[]): CommandResult {
  const value = workspaces.map(({ uuid, name, identity_field, suspended, moved_to }) => ({
    uuid,
    name,
    identity_field,
    suspended,
    moved_to,
  }));
  const lines = value.map((workspace) => {
    const field = workspace.identity_field === null ? '' : `  identity field ${toPrintable(workspace.identity_field)}`;
    const moved = workspace.moved_to === null ? '' : `  moved to ${workspace.moved_to}`;
    const state = moved === '' && workspace.suspended ? '  suspended' : moved;
    return `${workspace.uuid}  ${toPrintable(workspace.name)}${field}${state}`;
  });
  return { value, text: lines.join('\n') || 'No workspaces yet.' };
}
