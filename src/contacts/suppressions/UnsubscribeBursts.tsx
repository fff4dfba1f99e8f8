import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX, subscribeContact } from '#contract/change.ts';
import { listSuppressions } from '#contract/suppressions/suppressedContacts.ts';
import { listUnsubscribeBursts, type ReadableBurst } from '#contract/suppressions/unsubscribeBursts.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { FormDialog } from '../../api/FormDialog.tsx';
import { describeActor } from '../../identity/describeChange.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useSession } from '../../session/useSession.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { announce } from '../../ui/page/announce.ts';
import { refocusOnRemoval } from '../../ui/page/refocusOnRemoval.ts';
import { Notice } from '../../ui/Notice.tsx';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { FailureList, type NamedContact, toastFailures } from '../unsubscribe/FailureList.tsx';
import { useLastChanges } from '../unsubscribe/useReason.ts';
import { useSubscribeSelected } from '../unsubscribe/useSubscribeSelected.ts';
import { useBursts } from './useBursts.ts';
import classes from './Suppressions.module.css';

/** Unsubscribes that were perhaps nobody's will, each group with one undo. */
export function UnsubscribeBursts() {
  const { query, bursts, hide } = useBursts();
  const { workspace_uuid: workspace } = useSession();
  const [reviewed, setReviewed] = useState<ReadableBurst | null>(null);
  return (
    <>
      {query.error !== null && <ErrorAlert error={query.error} />}
      {bursts.map((burst) => (
        <Burst key={`${burst.domain} ${burst.from}`} burst={burst} onReview={() => setReviewed(burst)} />
      ))}
      {bursts.length > 0 && (
        <Button ref={refocusOnRemoval} size="xs" variant="subtle" className={classes.hide} onClick={hide}>
          Hide in this browser
        </Button>
      )}
      {reviewed !== null && workspace !== null && (
        <SubscribeBurst burst={reviewed} workspace={workspace} onClose={() => setReviewed(null)} />
      )}
    </>
  );
}

function Burst({ burst, onReview }: { burst: ReadableBurst; onReview: () => void }) {
  const denied = useMissingRole(subscribeContact);
  const seconds = (Date.parse(burst.to ?? '') - Date.parse(burst.from ?? '')) / 1000;
  const when = seconds >= 1 ? `within ${formatCount(Math.ceil(seconds))} seconds` : 'at the same second';
  return (
    <Notice
      tone="warn"
      title={`${formatCount(burst.contacts.length)} people at ${burst.domain} were unsubscribed ${when}`}
      actions={
        denied === null ? (
          <Button size="xs" variant="default" onClick={onReview}>
            Review
          </Button>
        ) : undefined
      }
    >
      <DateTime value={burst.from} />
      {burst.actor !== null && (
        <>
          , by <UntrustedText text={describeActor(burst.actor)} />
        </>
      )}
      . A security scanner may have followed the links of their messages.
      {denied !== null && ` Subscribing them again ${denied}`}
    </Notice>
  );
}

type Member = ReadableBurst['contacts'][number];

/** What somebody may have asked for since, by events or once more by a link; empty if nothing. */
const askedSince = ({ events_since, again_at }: Member) =>
  [...events_since, ...(again_at ? [`unsubscribed again at ${again_at}`] : [])].join(', ');

type Props = { burst: ReadableBurst; workspace: string; onClose: () => void };

/** Who is to be subscribed again: all but those that `left` has and those that are. */
function useChosen({ contacts }: ReadableBurst, done: readonly NamedContact[]) {
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(contacts.flatMap((one) => (askedSince(one) === '' ? [] : one.uuid))),
  );
  const rest = contacts.filter(({ uuid }) => !done.some(({ contact }) => contact === uuid));
  return { left, setLeft, rest, chosen: rest.filter(({ uuid }) => !left.has(uuid)) };
}

/** The service is asked again before anything is sent: who complained while the dialog was open is left out. */
async function findChanged(chosen: readonly Member[]): Promise<Member[]> {
  const { data } = await request(listUnsubscribeBursts, {});
  const now = new Map(data.flatMap(({ contacts }) => contacts.map((one) => [one.uuid, askedSince(one)])));
  return chosen.filter((one) => now.get(one.uuid) !== askedSince(one));
}

function SubscribeBurst({ burst, workspace, onClose }: Props) {
  const client = useQueryClient();
  const subscribe = useSubscribeSelected();
  const { done = [], left: failures = [] } = subscribe.data ?? {};
  const { left, setLeft, rest, chosen } = useChosen(burst, done);
  const { last, error, retry } = useLastChanges(burst.contacts.map(({ uuid }) => uuid));
  const reason = `A link scanner of ${burst.domain} unsubscribed them`;
  const { values, field, submit } = useForm({ reason }, (given) => ({
    reason: findTextError(given.reason, REASON_MAX, 'Say why: it is kept in the log.'),
  }));
  const send = async () => {
    const contacts = chosen.map((one) => ({ ...nameOf(one), seen: last?.get(one.uuid)?.seen }));
    const outcome = await subscribe.mutateAsync({ workspace, reason: values.reason.trim(), contacts });
    for (const operation of [listUnsubscribeBursts, listSuppressions]) void readAgain(client, operation);
    announce(describeDone(outcome.done.length, outcome.done.length + chosen.length));
    if (outcome.left.length === 0) onClose();
  };
  const check = useMutation({
    // Those that are left of what has begun are no group any more; the service refuses who was unsubscribed since.
    mutationFn: async () => (done.length > 0 ? [] : findChanged(chosen)),
    onSuccess: async (changed) => {
      setLeft(new Set([...left, ...changed.map(({ uuid }) => uuid)]));
      if (changed.length === 0) await send();
    },
  });
  const close = () => {
    if (failures.length > 0 && !subscribe.isPending) toastFailures(failures, 'subscribed again');
    onClose();
  };
  return (
    <FormDialog
      title={`Subscribe people at ${escapeHidden(burst.domain)} again?`}
      act={`Subscribe ${formatCount(chosen.length)} again`}
      cancel={failures.length > 0 ? 'Close' : undefined}
      isDisabled={chosen.length === 0 || last === undefined}
      call={check}
      onSubmit={() => submit(() => check.mutate())}
      onClose={close}
    >
      <People contacts={rest} left={left} onToggle={(uuid) => setLeft(left.symmetricDifference(new Set([uuid])))} />
      {last === undefined && error !== null && <ErrorAlert error={error} onRetry={retry} />}
      <LeftOut changed={check.data ?? []} />
      {failures.length > 0 && (
        <div>
          <p>{describeDone(done.length, done.length + rest.length)} Another try continues with the rest.</p>
          <FailureList failures={failures} what="subscribed again" />
        </div>
      )}
      <TextInput label="Reason" required {...field('reason')} />
    </FormDialog>
  );
}

const nameOf = ({ uuid, name, address }: Member): NamedContact => ({
  contact: uuid,
  name: escapeHidden(name ?? address),
  address: escapeHidden(address),
});

const describeDone = (done: number, of: number) =>
  `${formatCount(done)}${done === of ? '' : ` of ${formatCount(of)}`} people are subscribed again.`;

function LeftOut({ changed }: { changed: readonly Member[] }) {
  if (changed.length === 0) return null;
  return (
    <Notice tone="warn" title={`${formatCount(changed.length)} of them are no longer in this group`}>
      They may have complained, asked for it, or be subscribed already, or the group has become too small. Left out now:{' '}
      <UntrustedText text={changed.map(({ name, address }) => name ?? address).join(', ')} />
    </Notice>
  );
}

type PeopleProps = { contacts: readonly Member[]; left: ReadonlySet<string>; onToggle: (uuid: string) => void };

function People({ contacts, left, onToggle }: PeopleProps) {
  return (
    <>
      <p className="soft">Leave out who wanted to be unsubscribed.</p>
      <ul className={classes.people} aria-label="People">
        {contacts.map(({ uuid, name, address, events_since, again_at }) => (
          <li key={uuid}>
            <label>
              <input type="checkbox" checked={!left.has(uuid)} onChange={() => onToggle(uuid)} />
              <UntrustedText text={name ?? address} />
              {events_since.length > 0 && (
                <span className="soft">
                  {' '}
                  since then <UntrustedText text={events_since.join(', ')} />
                </span>
              )}
            </label>
            <Link to={paths.contact(uuid)}>
              <UntrustedText text={address} />
            </Link>
            {again_at && (
              <span className={`soft ${classes.again}`}>
                unsubscribed again <DateTime value={again_at} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
