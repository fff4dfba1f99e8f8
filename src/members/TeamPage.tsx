import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  listMembers,
  Member,
  type ReadableMember,
  type ReadableToken,
  PERSON_ROLES,
  updateMember,
} from '#contract/members.ts';
import { hasVisibleText } from '#contract/values/invisibleCharacters.ts';
import { roleName } from '../session/roleNames.ts';
import { signInWays } from '../session/session.ts';
import { useSession } from '../session/useSession.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { ListFacts, ListToolbar } from '../table/ListToolbar.tsx';
import { SearchInput } from '../table/SearchInput.tsx';
import { toListQuery, useList } from '../table/useList.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { useStore } from '../ui/page/store.ts';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import { labelOr } from '../ui/format/labelOr.ts';
import { RequireOperation } from './RequireOperation.tsx';
import { InviteMember } from './InviteMember.tsx';
import classes from './Team.module.css';
import { LeftTokens, RemoveMember } from './RemoveMember.tsx';
import { TeamTabs } from './TeamTabs.tsx';
import { MEMBERS, adminsQuery, membersQuery, useIsOneself, useDialogChange } from './queries.ts';
import { RowButton, timeColumn } from './columns.tsx';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { RoleField } from './RoleField.tsx';
import { SetUpSignIn } from './SetUpSignIn.tsx';

const SOURCES: Readonly<Record<string, string>> = { invited: 'Invited', group: 'Group' };

export function TeamPage() {
  return (
    <RequireOperation operation={listMembers} title="Team" what="The list of members">
      <Team />
    </RequireOperation>
  );
}

type Asked =
  | { what: 'invite' }
  | { what: 'role' | 'remove'; member: ReadableMember }
  | { what: 'tokens'; member: ReadableMember; tokens: readonly ReadableToken[] };

function Team() {
  const { list, query } = useList(MEMBERS, membersQuery);
  const ways = useStore(signInWays);
  const [asked, ask] = useState<Asked | null>(null);
  const close = () => ask(null);
  const invite = () => ask({ what: 'invite' });
  usePageActions([{ id: 'invite', label: 'Invite someone', run: invite }]);
  const columns = useColumns(ask);
  const source = {
    what: 'members',
    endpoint: listMembers,
    input: { query: toListQuery(list.state) },
    columns: Object.keys(Member.shape),
    fileName: 'members',
  };
  return (
    <>
      <PageTitle title="Team">
        <ListFacts query={query} />
      </PageTitle>
      <TeamTabs />
      {ways?.account === null && <SetUpSignIn />}
      <ListToolbar>
        <SearchInput list={list} label="Search members" placeholder="Search by name or email" />
        <Button size="xs" onClick={invite}>
          Invite
        </Button>
        <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
      </ListToolbar>
      <DataTable
        what="members"
        columns={columns}
        query={query}
        list={list}
        keepsRows
        choosable
        empty={<ListEmpty list={list} what="member" hint="Invite someone by their email address." />}
      />
      {asked?.what === 'invite' && <InviteMember onClose={close} />}
      {asked?.what === 'role' && <ChangeRole member={asked.member} onClose={close} />}
      {asked?.what === 'remove' && (
        <RemoveMember
          member={asked.member}
          onTokens={(tokens) => ask({ what: 'tokens', member: asked.member, tokens })}
          onClose={close}
        />
      )}
      {asked?.what === 'tokens' && <LeftTokens member={asked.member} tokens={asked.tokens} onClose={close} />}
    </>
  );
}

function useColumns(ask: (asked: Asked) => void): readonly Column<ReadableMember>[] {
  const last = useLastAdmin();
  return [
    { id: 'email', header: 'Who', cell: (member) => <Who member={member} />, width: 'auto' },
    { id: 'role', header: 'Role', cell: ({ role }) => <EndCut text={role && roleName(role)} />, width: 90 },
    {
      id: 'source',
      header: 'From',
      cell: ({ source }) => <EndCut text={source && labelOr(SOURCES, source)} />,
      width: 80,
    },
    timeColumn('last_seen_at', 'Last seen', { never: true }),
    timeColumn('created_at', 'Added', { from: 'wide' }),
    {
      id: 'acts',
      header: 'Change',
      cell: (member) => <Acts member={member} isLastAdmin={member.uuid === last} ask={ask} />,
      width: 200,
      align: 'end',
    },
  ];
}

/** The UUID of the only admin who can sign in. Only a token can remove them or change their role. */
function useLastAdmin(): string | undefined {
  const { person } = useSession();
  const { data } = useQuery({ ...adminsQuery, enabled: person !== null });
  const admins = data?.data.filter(({ role, last_seen_at }) => role === 'admin' && last_seen_at !== null) ?? [];
  return admins.length === 1 ? admins[0]?.uuid : undefined;
}

function Who({ member }: { member: ReadableMember }) {
  const { name, email } = member;
  const isOneself = useIsOneself(member);
  const hasName = name !== null && hasVisibleText(name);
  return (
    <span className={classes.who}>
      <EndCut text={hasName ? name : email} />
      {hasName && (
        <small>
          <EndCut text={email} />
        </small>
      )}
      {isOneself && <StatusBadge tone="neutral">You</StatusBadge>}
    </span>
  );
}

type ActsProps = { member: ReadableMember; isLastAdmin: boolean; ask: (asked: Asked) => void };

function Acts({ member, isLastAdmin, ask }: ActsProps) {
  const who = member.email || (member.name ?? member.uuid);
  if (isLastAdmin) return <span className={classes.why}>The only admin. Make someone else an admin first.</span>;
  return (
    <span className={classes.acts}>
      {member.source === 'group' ? (
        <span className={classes.why}>Role set by group</span>
      ) : (
        <RowButton label="Change role" which={`Change role of ${who}`} onClick={() => ask({ what: 'role', member })} />
      )}
      <RowButton label="Remove" which={`Remove ${who}`} isRed onClick={() => ask({ what: 'remove', member })} />
    </span>
  );
}

function ChangeRole({ member, onClose }: { member: ReadableMember; onClose: () => void }) {
  const [role, setRole] = useState(PERSON_ROLES.find((one) => one === member.role));
  const input = { member: member.uuid, body: { role: role ?? 'read' } } as const;
  const dialog = useDialogChange([listMembers], () => request(updateMember, input), { done: 'Role changed', onClose });
  const isOneself = useIsOneself(member);
  const isChanged = role !== undefined && role !== member.role;
  const who = <UntrustedText text={member.email || (member.name ?? member.uuid)} />;
  return (
    <FormDialog
      {...dialog}
      title={isOneself ? 'Your own role' : <>Role of {who}</>}
      act="Change"
      isDisabled={!isChanged}
      curl={<CopyCurl endpoint={updateMember} input={isChanged ? input : null} />}
    >
      <RoleField roles={PERSON_ROLES} value={role ?? ''} onChange={setRole} />
      <p className="note">
        {isOneself
          ? 'Takes effect immediately. Only another admin can restore your admin role.'
          : 'Takes effect on their next request.'}
      </p>
    </FormDialog>
  );
}
