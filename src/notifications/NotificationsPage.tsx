import { Button } from '@mantine/core';
import { useState } from 'react';
import { createDestination, listDestinations, type Destination } from '#contract/notifications.ts';
import { timeColumn } from '../members/columns.tsx';
import { TeamTabs } from '../members/TeamTabs.tsx';
import { UNSORTED } from '../members/queries.ts';
import { RequireOperation } from '../members/RequireOperation.tsx';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListFacts, ListToolbar } from '../table/ListToolbar.tsx';
import { useList } from '../table/useList.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link, useOpenPage } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { DestinationState } from './DestinationState.tsx';
import { CreateDestination } from './EditDestination.tsx';
import classes from './Notifications.module.css';
import { destinationsQuery } from './queries.ts';
import { describeRules } from './ruleDrafts.ts';

export function NotificationsPage() {
  return (
    <RequireOperation operation={listDestinations} title="Notifications" what="Deciding who is told what">
      <Notifications />
    </RequireOperation>
  );
}

const HINT =
  'Create one for your on-call channel or your own address, and hear about a fault before your customers do.';

function Notifications() {
  const { list, query } = useList(UNSORTED, destinationsQuery);
  const openPage = useOpenPage();
  const [isCreating, setCreating] = useState(false);
  const create = () => setCreating(true);
  usePageActions([{ id: createDestination.id, label: 'Create a destination', run: create }]);
  return (
    <>
      <PageTitle title="Notifications">
        <ListFacts query={query} />
      </PageTitle>
      <TeamTabs />
      <ListToolbar>
        <p className="note">Webhooks and mail addresses that are told when domains break or contacts change.</p>
        <Button size="xs" onClick={create}>
          Create a destination
        </Button>
      </ListToolbar>
      <DataTable
        what="destinations"
        columns={columns}
        query={query}
        list={list}
        keepsRows
        empty={<ListEmpty list={list} what="destination" hint={HINT} />}
      />
      {isCreating && (
        <CreateDestination
          onClose={() => setCreating(false)}
          // Where it can be tested.
          onCreated={(uuid) => openPage(paths.destination(uuid))}
        />
      )}
    </>
  );
}

const columns: readonly Column<Destination>[] = [
  { id: 'name', header: 'Destination', cell: (destination) => <Who destination={destination} />, width: 170 },
  {
    id: 'rules',
    header: 'Gets',
    cell: ({ rules }) => <UntrustedText className={classes.wrapped} text={describeRules(rules).join(' · ')} />,
    width: 122,
  },
  { id: 'state', header: 'State', cell: (destination) => <State destination={destination} />, width: 150 },
  timeColumn('last_delivered_at', 'Last delivered', { never: true }),
  {
    id: 'waiting',
    header: 'Waiting',
    cell: ({ waiting }) => formatCount(waiting),
    width: 72,
    align: 'end',
    from: 'wide',
  },
  { id: 'failed', header: 'Failed, 7 days', cell: ({ failed }) => formatCount(failed), width: 104, align: 'end' },
];

function Who({ destination: { uuid, kind, name, address } }: { destination: Destination }) {
  return (
    <span className={classes.who}>
      <Link to={paths.destination(uuid)}>
        <EndCut text={name} />
      </Link>
      <small>
        {kind === 'webhook' ? 'Webhook' : 'Mail'}: <UntrustedText text={address} />
      </small>
    </span>
  );
}

function State({ destination }: { destination: Destination }) {
  const { disabled_reason } = destination;
  return (
    <span className={classes.wrapped}>
      <DestinationState destination={destination} />
      {disabled_reason !== null && (
        <small>
          <UntrustedText text={disabled_reason} />
        </small>
      )}
    </span>
  );
}
