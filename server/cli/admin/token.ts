import { type Command, Option } from 'commander';
import { type Role, ROLES } from '#contract/role.ts';
import { timestamp } from '../../database/timestamp.ts';
import {
  createToken,
  readAllTokens,
  revokeToken,
  type StoredToken,
  TooManyTokensError,
} from '../../workspaces/store.ts';
import { parseLifetime, parseTokenName, parseUuid, workspaceCommand } from './arguments.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';
import { CommandError } from '../terminal/terminal.ts';

type WorkspaceOption = { workspace: string };
type NewTokenOptions = WorkspaceOption & { name: string; role: Role; expires?: number };

export function addTokenCommands(program: Command, run: RunWithDatabase): void {
  const token = program.command('token').description('manage access tokens');

  workspaceCommand(token, 'create', 'create an access token, which is shown once')
    .requiredOption('--name <name>', 'who or what uses it', parseTokenName)
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .option('--expires <time>', 'lifetime, such as 12h or 90d; unlimited by default', parseLifetime)
    .action(({ workspace: uuid, name, role, expires }: NewTokenOptions) =>
      run(async (db) => {
        const now = Date.now();
        const expires_at = expires === undefined ? null : now + expires;
        const making = createToken(await requireWorkspace(db, uuid), db, { name, role, expires_at }, now);
        const made = await making.catch((error: unknown) => {
          throw error instanceof TooManyTokensError ? new CommandError(error.message) : error;
        });
        const lines = [`access token  ${made.token}`, `its UUID      ${made.uuid}`, `its role      ${role}`];
        if (expires_at !== null) lines.push(`expires       ${timestamp(expires_at)}`);
        return {
          value: { ...made, role, expires_at: timeOrNull(expires_at) },
          text: ["Created a token. Copy it now; it isn't shown again:", ...lines].join('\n  '),
          ifLost: `The secret of token ${made.uuid} couldn't be printed. Revoke it and create another.`,
        };
      }),
    );

  workspaceCommand(token, 'list', 'list the tokens of a workspace, oldest first').action((options: WorkspaceOption) =>
    run(async (db) => toTokenList(await readAllTokens(await requireWorkspace(db, options.workspace), db))),
  );

  workspaceCommand(token, 'revoke', 'revoke a token, from its next request')
    .argument('<token>', 'token UUID, from token list', parseUuid)
    .action((target: string, options: WorkspaceOption) =>
      run(async (db) => {
        const isThere = await revokeToken(await requireWorkspace(db, options.workspace), db, target, Date.now());
        if (!isThere) throw new CommandError('Unknown token. See token list.');
        return { value: { uuid: target, revoked: true }, text: 'The token is revoked.' };
      }),
    );
}

const DATE_LENGTH = '2026-01-31'.length;
const ROLE_WIDTH = Math.max(...ROLES.map(({ length }) => length));

const timeOrNull = (time: number | null) => (time === null ? null : timestamp(time));

function toTokenList(tokens: StoredToken[]): CommandResult {
  const value = tokens.map((token) => ({
    uuid: token.uuid,
    name: token.name,
    role: token.role,
    created_at: timestamp(token.created_at),
    expires_at: timeOrNull(token.expires_at),
    last_used_on: timeOrNull(token.used_at)?.slice(0, DATE_LENGTH) ?? null,
    revoked_at: timeOrNull(token.revoked_at),
  }));
  const lines = value.map((token) => {
    const times = [
      `made ${token.created_at}`,
      token.last_used_on === null ? 'never used' : `used ${token.last_used_on}`,
      token.expires_at === null ? '' : `expires ${token.expires_at}`,
      token.revoked_at === null ? '' : `revoked ${token.revoked_at}`,
    ].filter((part) => part !== '');
    return [token.uuid, token.role.padEnd(ROLE_WIDTH), ...times, toPrintable(token.name)].join('  ');
  });
  return { value, text: lines.join('\n') || 'No tokens yet.' };
}
