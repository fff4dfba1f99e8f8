import { Button } from '@mantine/core';
import { useRef } from 'react';
import { subscribeContact } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { ConfirmUnsubscribe } from './ConfirmUnsubscribe.tsx';
import { SubscribeAgain } from './SubscribeAgain.tsx';
import { Subscription } from './Subscription.tsx';
import { UnsubscribedFacts } from './UnsubscribedFacts.tsx';
import classes from './Unsubscribe.module.css';
import { useSubscriptionQuestion } from './useSubscriptionQuestion.ts';

type Props = {
  contact: string;
  record: ReadableContact | undefined;
  /** When the record was read, in milliseconds since the epoch. */
  readAt: number;
};

/**
 * Whether the contact is subscribed, and the button to end it, which asks once, by name. Of an unsubscribed contact also
 * since when, in a form that can be passed on, and the way back where the service offers one.
 */
export function Unsubscribe({ contact, record, readAt }: Props) {
  const section = useRef<HTMLDivElement>(null);
  const { question, unsubscribe, subscribe, subscribeWorkspace, error, ask, close, finish } = useSubscriptionQuestion(
    contact,
    record,
    section,
  );
  const askToUnsubscribe = () => ask('to unsubscribe');
  const mayNotUnsubscribe = useMissingRole(unsubscribeContact);
  const mayNotSubscribe = useMissingRole(subscribeContact);
  usePageActions(
    record?.subscribed === false || mayNotUnsubscribe !== null
      ? []
      : [{ id: 'unsubscribe', label: 'Unsubscribe', run: askToUnsubscribe }],
  );
  return (
    <div className={classes.state} ref={section} tabIndex={-1}>
      {record?.subscribed === false ? (
        <UnsubscribedFacts
          record={record}
          readAt={readAt}
          isSubscribing={subscribe.isPending}
          onSubscribe={subscribeWorkspace === null || mayNotSubscribe !== null ? null : () => ask('to subscribe')}
        />
      ) : (
        <div className={classes.line}>
          {record === undefined ? <p>Subscription not known</p> : <Subscription subscribed />}
          {mayNotUnsubscribe === null && (
            <Button size="xs" variant="default" className={classes.act} onClick={askToUnsubscribe}>
              {unsubscribe.isPending ? 'Unsubscribing …' : 'Unsubscribe'}
            </Button>
          )}
        </div>
      )}
      {record?.subscribed === false
        ? subscribeWorkspace !== null &&
          mayNotSubscribe !== null && <p className="soft">Subscribing again {mayNotSubscribe}</p>
        : mayNotUnsubscribe !== null && <p className="soft">Unsubscribing {mayNotUnsubscribe}</p>}
      {error !== null && <ErrorAlert error={error} />}
      {question === 'to unsubscribe' && (
        <ConfirmUnsubscribe
          contact={contact}
          record={record}
          unsubscribe={unsubscribe}
          onClose={close}
          onDone={finish}
        />
      )}
      {question === 'to subscribe' && record !== undefined && subscribeWorkspace !== null && (
        <SubscribeAgain
          record={record}
          workspace={subscribeWorkspace}
          subscribe={subscribe}
          onClose={close}
          onDone={finish}
        />
      )}
    </div>
  );
}
