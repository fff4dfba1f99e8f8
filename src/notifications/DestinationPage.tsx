import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import {
  listDeliveries,
  listDestinations,
  removeDestination,
  testDestination,
  updateDestination,
  type Destination,
} from '#contract/notifications.ts';
import { readAgain } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { Confirm } from '../members/Confirm.tsx';
import { TeamTabs } from '../members/TeamTabs.tsx';
import { useDialogChange, useMembersChange } from '../members/queries.ts';
import { RequireOperation } from '../members/RequireOperation.tsx';
import { usePageActions } from '../ui/page/actions.ts';
import { announce } from '../ui/page/announce.ts';
import { parseTime } from '../ui/format/time.ts';
import { Notice } from '../ui/Notice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link, useOpenPage } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { Deliveries } from './Deliveries.tsx';
import { DestinationState } from './DestinationState.tsx';
import { EditDestination } from './EditDestination.tsx';
import classes from './Notifications.module.css';
import { allDestinationsQuery } from './queries.ts';
import { describeRules } from './ruleDrafts.ts';
import { RotateSecret } from './Secret.tsx';
import { VerifySignature } from './VerifySignature.tsx';

export function DestinationPage() {
  const { destination = '' } = useParams();
  return (
    <RequireOperation operation={listDestinations} title="Notifications" what="Deciding who is told what">
      <Linked key={destination} uuid={destination} />
    </RequireOperation>
  );
}

function Linked({ uuid }: { uuid: string }) {
  const query = useQuery(allDestinationsQuery);
  const destination = query.data?.data.find((one) => one.uuid === uuid);
  const name = destination?.name ?? 'Destination';
  return (
    <>
      <PageTitle title={name} documentTitle={`${name} · Notifications`}>
        {destination && <DestinationState destination={destination} />}
      </PageTitle>
      <TeamTabs />
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && destination === undefined && (
        <Notice tone="neutral" title="There is no such destination">
          It was removed, or the link is from another workspace. <Link to={paths.notifications}>All destinations</Link>
        </Notice>
      )}
      {destination && (
        <>
          <Actions destination={destination} all={query.data?.data ?? []} />
          <Facts destination={destination} all={query.data?.data ?? []} />
          {destination.kind === 'webhook' && <VerifySignature />}
          <Deliveries destination={destination.uuid} />
        </>
      )}
    </>
  );
}

type Asked = 'edit' | 'rotate' | 'off' | 'remove';

function Actions({ destination, all }: FactsProps) {
  const { uuid, kind, disabled_at, disabled_reason, fallback } = destination;
  const [asked, ask] = useState<Asked | null>(null);
  const test = useTest(uuid);
  const switchOn = useMembersChange<void, unknown>([listDestinations], () =>
    request(updateDestination, { destination: uuid, body: { enabled: true } }),
  );
  const isOff = disabled_at !== null;
  const sendTest = () => test.mutate();
  const turnOn = () => switchOn.mutate(undefined, { onSuccess: () => announce('Switched on') });
  const buttons = [
    { id: 'edit', label: 'Edit', run: () => ask('edit') },
    ...(kind === 'webhook' ? [{ id: 'rotate', label: 'Rotate the secret', run: () => ask('rotate') }] : []),
    isOff ? { id: 'on', label: 'Switch on', run: turnOn } : { id: 'off', label: 'Switch off', run: () => ask('off') },
    { id: 'remove', label: 'Remove', run: () => ask('remove'), isRed: true },
  ];
  usePageActions([{ id: testDestination.id, label: 'Send a test message', run: sendTest }, ...buttons]);
  return (
    <>
      <div className={classes.actions}>
        <Button size="xs" loading={test.isPending} onClick={sendTest}>
          Send a test message
        </Button>
        {buttons.map(({ id, label, run, isRed = false }: Entry) => (
          <Button key={id} size="xs" variant="default" {...(isRed && { c: 'var(--bad)' })} onClick={run}>
            {label}
          </Button>
        ))}
      </div>
      {test.isError && <ErrorAlert error={test.error} />}
      {test.data && <TestResult {...test.data.data} />}
      {switchOn.isError && <ErrorAlert error={switchOn.error} />}
      {isOff && (
        <Notice tone="warn" title="This destination is off">
          <UntrustedText text={disabled_reason ?? ''} /> Since <DateTime value={disabled_at} show="moment" />,{' '}
          {fallback === null ? (
            'nobody gets its messages, and they aren’t sent later.'
          ) : (
            <>
              <FallbackLink fallback={fallback} all={all} /> gets its messages.
            </>
          )}
        </Notice>
      )}
      <Dialogs asked={asked} destination={destination} onClose={() => ask(null)} />
    </>
  );
}

type DialogsProps = { asked: Asked | null; destination: Destination; onClose: () => void };

function Dialogs({ asked, destination, onClose }: DialogsProps) {
  const openPage = useOpenPage();
  if (asked === 'edit') return <EditDestination destination={destination} onClose={onClose} />;
  if (asked === 'rotate') return <RotateSecret destination={destination} onClose={onClose} />;
  if (asked === 'off') return <SwitchOff destination={destination} onClose={onClose} />;
  if (asked === null) return null;
  return (
    <Confirm
      title={
        <>
          Remove <UntrustedText text={destination.name} />?
        </>
      }
      act="Remove"
      done="Destination removed"
      endpoint={removeDestination}
      input={{ destination: destination.uuid }}
      lists={[listDestinations]}
      onClose={onClose}
      onDone={() => openPage(paths.notifications)}
    >
      <p>Its delivery log is deleted, and what waits for it is never delivered. This cannot be undone.</p>
    </Confirm>
  );
}

type Entry = { id: string; label: string; run: () => void; isRed?: boolean };

function useTest(destination: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request(testDestination, { destination }),
    onSettled: () => {
      for (const list of [listDeliveries, listDestinations]) void readAgain(client, list);
    },
  });
}

function TestResult({ delivered, detail }: { delivered: boolean; detail: string }) {
  return (
    <Notice
      tone={delivered ? 'good' : 'bad'}
      title={delivered ? 'The test message arrived' : 'The test message failed'}
    >
      <UntrustedText text={detail} />
    </Notice>
  );
}

function SwitchOff({
  destination: { uuid, name, fallback },
  onClose,
}: {
  destination: Destination;
  onClose: () => void;
}) {
  const input = { destination: uuid, body: { enabled: false } };
  const dialog = useDialogChange([listDestinations, listDeliveries], () => request(updateDestination, input), {
    done: 'Switched off',
    onClose,
  });
  return (
    <FormDialog
      {...dialog}
      title={
        <>
          Switch off <UntrustedText text={name} />?
        </>
      }
      act="Switch off"
      curl={<CopyCurl endpoint={updateDestination} input={input} />}
    >
      <p>
        {fallback === null
          ? 'Nobody gets its messages until you switch it on again, and they aren’t sent later. What waits for it fails.'
          : 'Until you switch it on again, its fallback gets its messages, also those that wait.'}
      </p>
    </FormDialog>
  );
}

type FactsProps = { destination: Destination; all: readonly Destination[] };

function FallbackLink({ fallback, all }: { fallback: string; all: readonly Destination[] }) {
  return (
    <Link to={paths.destination(fallback)}>
      <UntrustedText text={all.find(({ uuid }) => uuid === fallback)?.name ?? fallback} />
    </Link>
  );
}

function Facts({ destination, all }: FactsProps) {
  const { kind, address, rules, fallback, rotation_ends_at, last_delivered_at } = destination;
  const [openedAt] = useState(Date.now);
  const isRotating = (parseTime(rotation_ends_at)?.getTime() ?? 0) > openedAt;
  return (
    <dl className={classes.facts}>
      <Fact label={kind === 'webhook' ? 'Webhook' : 'Mail address'}>
        <UntrustedText text={address} /> <CopyButton value={address} what="address" />
      </Fact>
      <Fact label="Gets">
        <ul>
          {describeRules(rules).map((words) => (
            <li key={words}>
              <UntrustedText text={words} />
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label="Fallback">{fallback === null ? 'None' : <FallbackLink fallback={fallback} all={all} />}</Fact>
      <Fact label="Last delivered">
        {last_delivered_at === null ? 'Never' : <DateTime value={last_delivered_at} />}
      </Fact>
      {isRotating && (
        <Fact label="Old secrets sign until">
          <DateTime value={rotation_ends_at} show="moment" />
        </Fact>
      )}
    </dl>
  );
}
