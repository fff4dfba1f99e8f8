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
import { parseLifetime, parseTokenName, parseUuid } from './arguments.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { requireWorkspace } from './workspace.ts';
import { CommandError } from '../terminal/terminal.ts';

type WorkspaceOption = { workspace: string };
type NewTokenOptions = WorkspaceOption & { name: string; role: Role; expires?: number };

export function addTokenCommands(program: Command, run: RunWithDatabase): void {
  const token = program.command('token').description('make, list and revoke access tokens');

  token
    .command('create')
    .description('make an access token; it is shown this once')
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .requiredOption('--name <name>', 'who or what will use it', parseTokenName)
    .addOption(new Option('--role <role>', 'what it may do').choices(ROLES).makeOptionMandatory())
    .option(
      '--expires <time>',
      'how long it is accepted, 12h or 90d for example; without end if not given',
      parseLifetime,
    )
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
          text: ['Made a token, shown only now:', ...lines].join('\n  '),
          ifLost: `Nobody got the secret of the token ${made.uuid}: revoke it and make another.`,
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
  return { value, text: lines.join('\n') || 'The workspace has no token yet.' };
}
