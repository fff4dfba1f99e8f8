import { Button, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { REASON_MAX, subscribeContact } from '#contract/change.ts';
import { listSuppressions } from '#contract/suppressions/suppressedContacts.ts';
import { listUnsubscribeBursts, type ReadableBurst } from '#contract/suppressions/unsubscribeBursts.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { readAgain } from '../../api/apiQuery.ts';
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
import { useSubscribe } from '../mutations.ts';
import { useBursts } from './useBursts.ts';
import classes from './Suppressions.module.css';

/** Unsubscribes that were perhaps nobody's will, each group with one undo. */
export function UnsubscribeBursts() {
  const { query, bursts, hide } = useBursts();
  if (query.error !== null) return <ErrorAlert error={query.error} />;
  return (
    <>
      {bursts.map((burst) => (
        <Burst key={`${burst.domain} ${burst.from}`} burst={burst} />
      ))}
      {bursts.length > 0 && (
        <Button ref={refocusOnRemoval} size="xs" variant="subtle" className={classes.hide} onClick={hide}>
          Hide in this browser
        </Button>
      )}
    </>
  );
}

function Burst({ burst }: { burst: ReadableBurst }) {
  const [isAsking, setAsking] = useState(false);
  const denied = useMissingRole(subscribeContact);
  const { workspace_uuid } = useSession();
  const seconds = (Date.parse(burst.to ?? '') - Date.parse(burst.from ?? '')) / 1000;
  const when = seconds >= 1 ? `within ${formatCount(Math.ceil(seconds))} seconds` : 'at the same second';
  return (
    <Notice
      tone="warn"
      title={`${formatCount(burst.contacts.length)} people at ${burst.domain} were unsubscribed ${when}`}
      actions={
        denied === null && workspace_uuid !== null ? (
          <Button size="xs" variant="default" onClick={() => setAsking(true)}>
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
      {isAsking && workspace_uuid !== null && (
        <SubscribeBurst burst={burst} workspace={workspace_uuid} onClose={() => setAsking(false)} />
      )}
    </Notice>
  );
}

type Props = { burst: ReadableBurst; workspace: string; onClose: () => void };

function SubscribeBurst({ burst, workspace, onClose }: Props) {
  const client = useQueryClient();
  const [left, setLeft] = useState<ReadonlySet<string>>(
    () => new Set(burst.contacts.flatMap(({ uuid, events_since }) => (events_since.length > 0 ? uuid : []))),
  );
  const reason = `A link scanner of ${burst.domain} unsubscribed them`;
  const { values, field, submit } = useForm({ reason }, (given) => ({
    reason: findTextError(given.reason, REASON_MAX, 'Say why: it is kept in the log.'),
  }));
  const chosen = burst.contacts.filter(({ uuid }) => !left.has(uuid));
  const named = chosen.map(({ uuid, name, address }) => {
    return { contact: uuid, name: escapeHidden(name ?? address), address: escapeHidden(address) };
  });
  const subscribe = useSubscribe(named, () => {
    announce(`${formatCount(named.length)} people are subscribed again`);
    onClose();
    for (const operation of [listUnsubscribeBursts, listSuppressions]) void readAgain(client, operation);
  });
  const toggle = (uuid: string) =>
    setLeft(left.has(uuid) ? new Set([...left].filter((one) => one !== uuid)) : new Set([...left, uuid]));
  return (
    <FormDialog
      title={`Subscribe people at ${escapeHidden(burst.domain)} again?`}
      act={`Subscribe ${formatCount(chosen.length)} again`}
      isDisabled={chosen.length === 0}
      call={subscribe}
      note="Some may already be subscribed again. Another try continues with the rest."
      onSubmit={() => submit(() => subscribe.mutate({ workspace, reason: values.reason.trim() }))}
      onClose={onClose}
    >
      <p className="soft">Leave out who wanted to be unsubscribed.</p>
      <ul className={classes.people} aria-label="People">
        {burst.contacts.map(({ uuid, name, address, events_since }) => (
          <li key={uuid}>
            <label>
              <input type="checkbox" checked={!left.has(uuid)} onChange={() => toggle(uuid)} />
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
          </li>
        ))}
      </ul>
      <TextInput label="Reason" required {...field('reason')} />
    </FormDialog>
  );
}
