import type { Command } from 'commander';
import { timestamp } from '../database/timestamp.ts';
import { createToken, readAllTokens, revokeToken, type StoredToken } from '../workspaces/store.ts';
import { parseName, parseUuid } from './arguments.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';
import { CommandError } from '../terminal/terminal.ts';

type WorkspaceOption = { workspace: string };

export function addTokenCommands(program: Command, run: RunWithDatabase): void {
  const token = program.command('token').description('make, list and revoke access tokens');

  token
    .command('create')
    .description('make an access token; it is shown this once')
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .requiredOption('--name <name>', 'who or what will use it', parseName)
    .action((options: WorkspaceOption & { name: string }) =>
      run(async (db) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const made = await createToken(workspace, db, options.name, Date.now());
        return {
          value: made,
          text: `Made a token, shown only now:\n  access token  ${made.token}\n  its UUID      ${made.uuid}`,
        };
      }),
    );

  token
    .command('list')
    .description('list the tokens of a workspace, oldest first')
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .action((options: WorkspaceOption) =>
      run(async (db) => toTokenList(await readAllTokens(await requireWorkspace(db, options.workspace), db))),
    );

  token
    .command('revoke')
    .description('refuse a token from the next request on')
    .argument('<token>', 'UUID of the token, from token list', parseUuid)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .action((target: string, options: WorkspaceOption) =>
      run(async (db) => {
        const isThere = await revokeToken(await requireWorkspace(db, options.workspace), db, target, Date.now());
        if (!isThere) throw new CommandError('The workspace has no token with this UUID: see token list.');
        return { value: { uuid: target, revoked: true }, text: 'The token is revoked.' };
      }),
    );
}

function toTokenList(tokens: StoredToken[]): CommandResult {
  const value = tokens.map((token) => ({
    uuid: token.uuid,
    name: token.name,
    created_at: timestamp(token.created_at),
    revoked_at: token.revoked_at === null ? null : timestamp(token.revoked_at),
  }));
  const lines = value.map((token) => {
    const end = token.revoked_at === null ? '' : `  revoked ${token.revoked_at}`;
    return `${token.uuid}  made ${token.created_at}  ${toPrintable(token.name)}${end}`;
  });
  return { value, text: lines.join('\n') || 'The workspace has no token yet.' };
}
