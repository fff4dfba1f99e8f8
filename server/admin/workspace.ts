import type { Command } from 'commander';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { createWorkspace, findWorkspace, listWorkspaces, setSuspended } from '../workspaces/store.ts';
import { attributeName, name, uuid } from './arguments.ts';
import { CommandFailure } from './commandFailure.ts';
import { printable } from './printable.ts';
import type { Outcome, Run } from './run.ts';

export function addWorkspaceCommands(program: Command, run: Run): void {
  const workspace = program.command('workspace').description('make, list, suspend and resume workspaces');

  workspace
    .command('create')
    .description('make an empty workspace')
    .requiredOption('--name <name>', 'what it is called', name)
    .option('--identity-field <attribute>', 'attribute that names a contact, besides email and phone', attributeName)
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
    .action(() => run(async (db) => describe(await listWorkspaces(db))));

  for (const [verb, suspended, effect] of [
    ['suspend', true, 'refuse every request of a workspace and keep its data'],
    ['resume', false, 'take up the requests of a suspended workspace again'],
  ] as const) {
    workspace
      .command(verb)
      .description(effect)
      .requiredOption('--workspace <uuid>', 'ID of the workspace', uuid)
      .action((options: { workspace: string }) =>
        run(async (db) => {
          const target = await workspaceOf(db, options.workspace);
          await setSuspended(target, db, suspended);
          const text = `The workspace ${printable(target.name)} is ${suspended ? 'suspended' : 'in service'}.`;
          return { value: { uuid: target.uuid, suspended }, text };
        }),
      );
  }
}

/** The workspace with this UUID. Throws `CommandFailure` when there is none. */
export async function workspaceOf(db: Database, uuid: string): Promise<Workspace> {
  const workspace = await findWorkspace(db, uuid);
  if (workspace === null) throw new CommandFailure('There is no workspace with this UUID: see workspace list.');
  return workspace;
}

function describe(workspaces: Workspace[]): Outcome {
  const value = workspaces.map(({ uuid, name, identity_field, suspended }) => ({
    uuid,
    name,
    identity_field,
    suspended,
  }));
  const lines = value.map((workspace) => {
    const field = workspace.identity_field === null ? '' : `  identity field ${printable(workspace.identity_field)}`;
    return `${workspace.uuid}  ${printable(workspace.name)}${field}${workspace.suspended ? '  suspended' : ''}`;
  });
  return { value, text: lines.join('\n') || 'There is no workspace yet.' };
}
