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
import { parseEmail, parseUuid } from './arguments.ts';
import type { CommandResult, RunWithDatabase } from './runCommand.ts';
import { revokeToken } from '../../workspaces/store.ts';
import { requireWorkspace } from './workspace.ts';

type WorkspaceOption = { workspace: string };
const ROLE_WIDTH = Math.max(...ROLES.map(({ length }) => length));

type RoleOption = WorkspaceOption & { role: PersonRole };

const role = () => new Option('--role <role>', 'what they may do').choices(PERSON_ROLES).makeOptionMandatory();

export function addMemberCommands(program: Command, run: RunWithDatabase): void {
  const member = program.command('member').description('list, invite, change and remove the people of a workspace');

  member
    .command('list')
    .description('list the people who may sign in, oldest first')
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .action((options: WorkspaceOption) =>
      run(async (db) => toMemberList(await readAllMembers(await requireWorkspace(db, options.workspace), db))),
    );

  member
    .command('invite')
    .description('let in who signs in with this address, which their account must have verified; no mail is sent')
    .argument('<email>', 'address of their account', parseEmail)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .addOption(role())
    .action((email: string, options: RoleOption) =>
      run(async (db) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const made = await inviteMember(workspace, db, { email, role: options.role }, Date.now());
        if (made === null) throw new CommandError('A member of the workspace has this address: see member list.');
        return { value: made, text: `${describe(made)} may sign in now.` };
      }),
    );

  member
    .command('role')
    .description('change what a member may do, from their next request on')
    .argument('<member>', 'UUID of the member, from member list', parseUuid)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .addOption(role())
    .action((target: string, options: RoleOption) =>
      run(async (db, terminal) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const changed = orThrow(await updateMember(workspace, db, target, options.role, { now: Date.now() }));
        await warnWithoutAdmin(workspace, db, terminal);
        return { value: changed, text: `${describe(changed)} has the role ${changed.role} now.` };
      }),
    );

  member
    .command('remove')
    .description('remove a member, from their next request on')
    .argument('<member>', 'UUID of the member, from member list', parseUuid)
    .requiredOption('--workspace <uuid>', 'ID of the workspace', parseUuid)
    .option('--revoke-tokens', 'revoke the access tokens that they created too')
    .action((target: string, options: WorkspaceOption & { revokeTokens?: boolean }) =>
      run(async (db, terminal) => {
        const workspace = await requireWorkspace(db, options.workspace);
        const now = Date.now();
        const { member: removed, tokens } = orThrow(await removeMember(workspace, db, target, { now }));
        const revoke = options.revokeTokens === true;
        if (revoke) for (const { uuid } of tokens) await revokeToken(workspace, db, uuid, now);
        await warnWithoutAdmin(workspace, db, terminal);
        const again =
          removed.source === 'group' ? ' They come back at the next sign-in while their group has a role.' : '';
        const value = { uuid: removed.uuid, removed: true, tokens, tokens_revoked: revoke };
        return { value, text: `${describe(removed)} is removed.${again}${describeTokens(tokens, revoke)}` };
      }),
    );
}

const REFUSALS: Record<MemberRefusal, string> = {
  unknown: 'The workspace has no member with this UUID: see member list.',
  byGroup: 'The role of this member is that of a group of their account: change it there, or in OIDC_ROLES.',
  // Only people are refused this.
  lastAdmin: 'This is the last admin of the workspace who can sign in.',
};

function describeTokens(tokens: readonly Token[], areRevoked: boolean): string {
  if (tokens.length === 0) return '';
  const title = areRevoked
    ? 'Tokens that they created are revoked:'
    : 'Tokens that they created are still accepted. Revoke each that they may know (token revoke UUID):';
  const lines = tokens.map(({ uuid, role, name }) => `${uuid}  ${role.padEnd(ROLE_WIDTH)}  ${toPrintable(name)}`);
  return ['', title, ...lines].join('\n  ').replace('\n  ', '\n');
}

function orThrow<Done extends object>(outcome: Done | MemberRefusal): Done {
  if (typeof outcome === 'string') throw new CommandError(REFUSALS[outcome]);
  return outcome;
}

async function warnWithoutAdmin(workspace: Workspace, db: Database, terminal: Terminal): Promise<void> {
  if (await lacksAdmin(workspace, db))
    terminal.say(
      'Nobody who can sign in is an admin of this workspace now: only this command and tokens administer it.',
    );
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
  return { value: members, text: lines.join('\n') || 'The workspace has no members yet.' };
}
