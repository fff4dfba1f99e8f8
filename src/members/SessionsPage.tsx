import { useState } from 'react';
import { endSession, listMembers, listSessions, type ReadableSignedIn, SignedIn } from '#contract/members.ts';
import { useMissingRole } from '../session/useMissingRole.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { ListFacts } from '../table/ListToolbar.tsx';
import { useList } from '../table/useList.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { localDateTime } from '../ui/format/time.ts';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Confirm } from './Confirm.tsx';
import { RequireOperation } from './RequireOperation.tsx';
import classes from './Team.module.css';
import { TeamTabs } from './TeamTabs.tsx';
import { RowButton, timeColumn } from './columns.tsx';
import { sessionsQuery, UNSORTED } from './queries.ts';

export function SessionsPage() {
  return (
    <RequireOperation operation={listSessions} title="Sessions" what="The list of sessions">
      <Sessions />
    </RequireOperation>
  );
}

function Sessions() {
  const { list, query } = useList(UNSORTED, sessionsQuery);
  const [ending, end] = useState<ReadableSignedIn | null>(null);
  const isAdmin = useMissingRole(listMembers) === null;
  const title = isAdmin ? 'Sessions' : 'Your sessions';
  const { page, perPage } = list.state;
  const columns = defineSessionColumns(end);
  const source = {
    what: 'sessions',
    endpoint: listSessions,
    input: { query: { page, per_page: perPage } },
    columns: Object.keys(SignedIn.shape),
    fileName: 'sessions',
  };
  return (
    <>
      <PageTitle title={title}>
        <ListFacts query={query} />
        <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
      </PageTitle>
      <TeamTabs />
      <p className="note">
        Browsers that are signed in {isAdmin ? 'to this workspace' : 'as you'}. End sessions you don’t recognise or no
        longer use.
      </p>
      <DataTable
        what="sessions"
        columns={columns}
        query={query}
        list={list}
        keepsRows
        choosable
        empty={<ListEmpty list={list} what="session" hint="No one is signed in to the console." />}
      />
      {ending !== null && (
        <Confirm
          title="End this session?"
          act="End"
          done="Session ended"
          endpoint={endSession}
          input={{ session: ending.uuid }}
          lists={[listSessions]}
          onClose={() => end(null)}
        >
          <p>
            <UntrustedText text={nameOf(ending)} /> is signed out in that browser on the next request, and can sign in
            again. A bulk list running there stops.
          </p>
        </Confirm>
      )}
    </>
  );
}

const nameOf = ({ person, token }: ReadableSignedIn): string => person?.name ?? person?.email ?? token ?? 'Unknown';

const defineSessionColumns = (end: (session: ReadableSignedIn) => void): readonly Column<ReadableSignedIn>[] => [
  { id: 'who', header: 'Who', cell: (session) => <Who session={session} />, width: 'auto' },
  timeColumn('created_at', 'Signed in'),
  timeColumn('seen_at', 'Last used'),
  { ...timeColumn('expires_at', 'Ends at the latest', { from: 'wide', show: localDateTime }), width: 240 },
  {
    id: 'acts',
    header: 'Change',
    cell: (session) =>
      session.current ? (
        <StatusBadge tone="good">This one</StatusBadge>
      ) : (
        <span className={classes.acts}>
          <RowButton label="End" which={`End the session of ${nameOf(session)}`} isRed onClick={() => end(session)} />
        </span>
      ),
    width: 112,
    align: 'end',
  },
];

function Who({ session }: { session: ReadableSignedIn }) {
  const { person, token } = session;
  return (
    <span className={classes.who}>
      <EndCut text={nameOf(session)} />
      <small>
        {person === null ? token !== null && 'token' : person.name !== null && <EndCut text={person.email ?? ''} />}
      </small>
    </span>
  );
}
