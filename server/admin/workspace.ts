import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { createWorkspace, findWorkspace, listWorkspaces, setSuspended } from '../workspaces/store.ts';
import { parseAttributeName, parseName, parseUuid } from './arguments.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { CommandError } from '../terminal/terminal.ts';

export function addWorkspaceCommands(program: Command, run: RunWithDatabase): void {
  const workspace = program.command('workspace').description('make, list, suspend and resume workspaces');

  workspace
    .command('create')
    .description('make an empty workspace')
    .requiredOption('--name <name>', 'what it is called', parseName)
    .option(
      '--identity-field <attribute>',
      'attribute that names a contact, besides email and phone',
      parseAttributeName,
    )
    .action((options: { name: string; identityField?: string }) =>
      run(async (db) => {
        const made = await createWorkspace(
          db,
          { name: options.name, identity_field: options.identityField ?? null },
          Date.now(),
        );
        return { value: { uuid: made.uuid }, text: `Made the workspace ${made.name}:\n  workspace ID  ${made.uuid}` };
      }),
    );

  workspace
    .command('list')
    .description('list all workspaces, oldest first')
    .action(() => run(async (db) => toWorkspaceList(await listWorkspaces(db))));

  for (const [verb, suspended, effect] of [
    ['suspend', true, 'refuse every request of a workspace and keep its data'],
    ['resume', false, 'take up the requests of a suspended workspace again'],
  ] as const) {
    workspace
      .command(verb)
      .description(effect)
      .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
      .action((options: { workspace: string }) =>
        run(async (db) => {
          const target = await requireWorkspace(db, options.workspace);
          await setSuspended(target, db, suspended);
          const text = `The workspace ${toPrintable(target.name)} is ${suspended ? 'suspended' : 'in service'}.`;
          return { value: { uuid: target.uuid, suspended }, text };
        }),
      );
  }
}

/** The workspace with this UUID. Throws `CommandError` when there is none. */
export async function requireWorkspace(db: Database, uuid: string): Promise<Workspace> {
  const workspace = await findWorkspace(db, uuid);
  if (workspace === null) throw new CommandError('There is no workspace with this UUID: see workspace list.');
  return workspace;
}

function toWorkspaceList(workspaces: Workspace[]): CommandResult {
  const value = workspaces.map(({ uuid, name, identity_field, suspended }) => ({
    uuid,
    name,
    identity_field,
    suspended,
  }));
  const lines = value.map((workspace) => {
    const field = workspace.identity_field === null ? '' : `  identity field ${toPrintable(workspace.identity_field)}`;
    return `${workspace.uuid}  ${toPrintable(workspace.name)}${field}${workspace.suspended ? '  suspended' : ''}`;
  });
  return { value, text: lines.join('\n') || 'There is no workspace yet.' };
}
