import type { QueryKey } from '@tanstack/react-query';
import { NativeSelect } from '@mantine/core';
import {
  DELIVERY_STATES,
  listDestinations,
  listDeliveries,
  replayDelivery,
  type DeliveryState,
} from '#contract/notifications.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { request } from '../api/client.ts';
import { RowButton } from '../members/columns.tsx';
import { useMembersChange } from '../members/queries.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { Total } from '../table/ListToolbar.tsx';
import { useList } from '../table/useList.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { announce } from '../ui/page/announce.ts';
import { useUserActive } from '../ui/page/useUserActive.ts';
import { Section, SectionActions } from '../ui/Section.tsx';
import { StatusBadge, type Tone } from '../ui/values/StatusBadge.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Nothing } from '../ui/values/Nothing.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './Notifications.module.css';
import { deliveriesQuery, DELIVERIES, type DeliveryLine } from './queries.ts';

const STATES: Readonly<Record<DeliveryState, { label: string; tone: Tone; meaning: string }>> = {
  waiting: { label: 'Waiting', tone: 'wait', meaning: 'The next attempt is due at the time shown.' },
  delivered: { label: 'Delivered', tone: 'good', meaning: 'The receiver accepted it.' },
  failed: { label: 'Failed', tone: 'bad', meaning: 'No more attempts. The fallback got it, if there is one.' },
  joined: {
    label: 'Joined',
    tone: 'neutral',
    meaning: 'Told with another message, because they have one cause, or one check found them.',
  },
  dropped: {
    label: 'Not sent',
    tone: 'neutral',
    meaning: 'There was nothing to tell: it was over or accepted before it was told, or nothing happened that week.',
  },
};

/** Next to a state that doesn't say what became of the message. */
function explain({ state, kind }: DeliveryLine): string | null {
  if (state === 'joined') return 'Told with another message';
  if (state !== 'dropped') return null;
  return kind === 'digest' ? 'Nothing happened' : 'Over or accepted before it was told';
}

const HINT = 'Send a test message to see whether it arrives.';

/** The delivery log of a destination. */
export function Deliveries({ destination }: { destination: string }) {
  const isActive = useUserActive();
  const { list, query } = useList<DeliveryLine, QueryKey>(DELIVERIES, deliveriesQuery(destination, isActive));
  const replay = useMembersChange([listDeliveries, listDestinations], (message: string) =>
    request(replayDelivery, { destination, message }),
  );
  const send = (message: string) =>
    replay.mutate(message, { onSuccess: () => announce('It is sent again in a moment, under the same ID.') });
  const state = DELIVERY_STATES.find((one) => one === list.state.filters.state);
  return (
    <Section
      id="deliveries"
      title="Deliveries"
      rightSection={
        <>
          <Total meta={query.data?.meta} />
          <SectionActions>
            <LastUpdated query={query} />
            <NativeSelect
              size="xs"
              aria-label="State"
              value={state ?? ''}
              data={[
                { value: '', label: 'All states' },
                ...DELIVERY_STATES.map((one) => ({ value: one, label: STATES[one].label })),
              ]}
              onChange={({ currentTarget: { value } }) =>
                list.change({ filters: value === '' ? {} : { state: value } })
              }
            />
          </SectionActions>
        </>
      }
    >
      {state !== undefined && <p className="note">{STATES[state].meaning}</p>}
      {replay.isError && <ErrorAlert error={replay.error} />}
      <DataTable
        what="deliveries"
        columns={defineColumns(send)}
        query={query}
        list={list}
        keepsRows
        empty={<ListEmpty list={list} what="delivery" hint={HINT} />}
      />
    </Section>
  );
}

const defineColumns = (send: (message: string) => void): readonly Column<DeliveryLine>[] => [
  {
    id: 'title',
    header: 'Message',
    cell: ({ title }) => <UntrustedText className={classes.wrapped} text={title} />,
    width: 152,
  },
  {
    id: 'state',
    header: 'State',
    cell: (line) => (
      <span className={classes.wrapped}>
        <StatusBadge tone={STATES[line.state].tone}>{STATES[line.state].label}</StatusBadge>
        {explain(line) !== null && <small>{explain(line)}</small>}
      </span>
    ),
    width: 140,
  },
  {
    id: 'attempts',
    header: 'Attempts',
    cell: ({ attempts }) => formatCount(attempts),
    width: 76,
    align: 'end',
    from: 'wide',
  },
  {
    id: 'next_at',
    header: 'Next attempt',
    cell: ({ next_at }) => (next_at === null ? <Nothing /> : <DateTime value={next_at} show="moment" />),
    width: 128,
    from: 'wide',
  },
  {
    id: 'ended_at',
    header: 'Ended',
    cell: ({ ended_at }) => (ended_at === null ? <Nothing words="not yet" /> : <DateTime value={ended_at} />),
    width: 112,
  },
  {
    id: 'error',
    header: 'Last error',
    cell: ({ error }) => (error === null ? <Nothing /> : <UntrustedText className={classes.wrapped} text={error} />),
    width: 150,
  },
  {
    id: 'acts',
    header: 'Change',
    cell: ({ message, state, title }) =>
      (state === 'delivered' || state === 'failed') && (
        <RowButton label="Send again" which={`Send again: ${title}`} onClick={() => send(message)} />
      ),
    width: 104,
    align: 'end',
  },
];
