import { type Command, Option } from 'commander';
import { type Member, PERSON_ROLES, type PersonRole, type Token } from '#contract/members.ts';
import { ROLES } from '#contract/role.ts';
import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';
import {
  inviteMember,
  lacksAdmin,
  type MemberRefusal,
  readAllMembers,
  removeMember,
  updateMember,
} from '../../members/members.ts';
import { toPrintable } from '../terminal/printable.ts';
import { CommandError, type Terminal } from '../terminal/terminal.ts';
import { parseEmail, parseUuid, workspaceCommand } from './arguments.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { revokeToken } from '../../workspaces/store.ts';
import { requireWorkspace } from './workspace.ts';

type WorkspaceOption = { workspace: string };
const ROLE_WIDTH = Math.max(...ROLES.map(({ length }) => length));

type RoleOption = WorkspaceOption & { role: PersonRole };

const role = () => new Option('--role <role>', 'what they may do').choices(PERSON_ROLES).makeOptionMandatory();

export function addMemberCommands(program: Command, run: RunWithDatabase): void {
  const member = program.command('member').description('manage the members of a workspace');

  workspaceCommand(member, 'list', 'list members, oldest first').action((options: WorkspaceOption) =>
    run(async (db) => toMemberList(await readAllMembers(await requireWorkspace(db, options.workspace), db))),
  );

  workspaceCommand(member, 'invite', 'invite the person with this verified email address; no email is sent')
    .argument('<email>', 'email address of their account', parseEmail)
    .addOption(role())
    .action((email: string, options: RoleOption) =>
      run(async (db) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const made = await inviteMember(workspace, db, { email, role: options.role }, Date.now());
        if (made === null) throw new CommandError('A member already has this address. See member list.');
        return { value: made, text: `${describe(made)} can now sign in.` };
      }),
    );

  workspaceCommand(member, 'role', 'change the role of a member, from their next request')
    .argument('<member>', 'member UUID, from member list', parseUuid)
    .addOption(role())
    .action((target: string, options: RoleOption) =>
      run(async (db, terminal) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const changed = orThrow(await updateMember(workspace, db, target, options.role, { now: Date.now() }));
        await warnWithoutAdmin(workspace, db, terminal);
        return { value: changed, text: `${describe(changed)} now has the role ${changed.role}.` };
      }),
    );

  workspaceCommand(member, 'remove', 'remove a member, from their next request')
    .argument('<member>', 'member UUID, from member list', parseUuid)
    .option('--revoke-tokens', 'also revoke the tokens they created')
    .action((target: string, options: WorkspaceOption & { revokeTokens?: boolean }) =>
      run(async (db, terminal) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const result = await remove(workspace, db, target, options.revokeTokens === true);
        await warnWithoutAdmin(workspace, db, terminal);
        return result;
      }),
    );
}

async function remove(workspace: Workspace, db: Database, uuid: string, revoke: boolean): Promise<CommandResult> {
  const now = Date.now();
  const { member, tokens } = orThrow(await removeMember(workspace, db, uuid, { now }));
  if (revoke) for (const token of tokens) await revokeToken(workspace, db, token.uuid, now);
  const again =
    member.source === 'group' ? ' They return at their next sign-in as long as their group has a role.' : '';
  const value = { uuid: member.uuid, removed: true, tokens, tokens_revoked: revoke };
  return { value, text: `${describe(member)} is removed.${again}${describeTokens(tokens, revoke)}` };
}

const REFUSALS: Record<MemberRefusal, string> = {
  unknown: 'Unknown member. See member list.',
  byGroup: 'This role comes from a group of their account. Change it there, or in OIDC_ROLES.',
  // Only people are refused this.
  lastAdmin: 'This is the last admin who can sign in.',
};

function describeTokens(tokens: readonly Token[], areRevoked: boolean): string {
  if (tokens.length === 0) return '';
  const title = areRevoked
    ? 'Revoked the tokens they created:'
    : 'Tokens they created still work. Revoke those they may know (token revoke UUID):';
  const lines = tokens.map(({ uuid, role, name }) => `${uuid}  ${role.padEnd(ROLE_WIDTH)}  ${toPrintable(name)}`);
  return ['', title, ...lines].join('\n  ').replace('\n  ', '\n');
}

function orThrow<Done extends object>(outcome: Done | MemberRefusal): Done {
  if (typeof outcome === 'string') throw new CommandError(REFUSALS[outcome]);
  return outcome;
}

async function warnWithoutAdmin(workspace: Workspace, db: Database, terminal: Terminal): Promise<void> {
  if (await lacksAdmin(workspace, db))
    terminal.say('No admin of this workspace can sign in now. Only this command and tokens can administer it.');
}

const describe = ({ email, name }: Member) => toPrintable(name === null ? email : `${name} (${email})`);

function toMemberList(members: Member[]): CommandResult {
  const width = Math.max(...PERSON_ROLES.map(({ length }) => length));
  const lines = members.map((member) =>
    [
      member.uuid,
      member.role.padEnd(width),
      member.source === 'group' ? 'by group' : 'invited ',
      member.last_seen_at === null ? 'never seen' : `seen ${member.last_seen_at}`,
      describe(member),
    ].join('  '),
  );
  return { value: members, text: lines.join('\n') || 'No members yet.' };
}
