import { Button } from '@mantine/core';
import { useRef } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { ReadableContact } from '#contract/contact.ts';
import { listContactChanges } from '#contract/additions.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { usePageActions } from '../ui/actions.ts';
import { Notice } from '../ui/Notice.tsx';
import { exactUtc, localTime, localZone } from '../ui/time.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { useCapability, useSession } from '../session/useSession.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { personName } from '../contact/person.ts';
import { ConfirmUnsubscribe } from './ConfirmUnsubscribe.tsx';
import { SubscribeAgain } from './SubscribeAgain.tsx';
import classes from './Unsubscribe.module.css';
import { useSubscriptionQuestion } from './useSubscriptionQuestion.ts';
import { describeProof } from './proof.ts';
import { unsubscribeRequestIdQuery, lastSubscriptionQuery } from './historyQueries.ts';

type Props = {
  contact: string;
  record: ReadableContact | undefined;
  /** When the record was read, in milliseconds since the epoch. */
  readAt: number;
};

const SENTENCE = {
  true: 'Gets mail from this workspace.',
  false: 'Gets no mail from this workspace.',
  undefined: 'Subscription not known.',
};

/**
 * Whether the contact gets mail, and the button to stop it: asks once, by name, and shows the service's response in a
 * form that can be passed on. Where the service offers it, the contact can also be subscribed again.
 */
export function Unsubscribe({ contact, record, readAt }: Props) {
  const section = useRef<HTMLDivElement>(null);
  const { question, unsubscribe, subscribe, subscribeWorkspace, error, ask, close, finish } = useSubscriptionQuestion(
    contact,
    record,
    section,
  );
  const askToUnsubscribe = () => ask('to unsubscribe');
  usePageActions(
    record?.subscribed === false ? [] : [{ id: 'unsubscribe', label: 'Unsubscribe', run: askToUnsubscribe }],
  );
  return (
    <div className={classes.state} ref={section} tabIndex={-1}>
      <div className={classes.line}>
        <p>{SENTENCE[`${record?.subscribed}`]}</p>
        {record?.subscribed !== false && (
          <Button size="xs" variant="default" className={classes.act} onClick={askToUnsubscribe}>
            {unsubscribe.isPending ? 'Unsubscribing …' : 'Unsubscribe'}
          </Button>
        )}
      </div>
      {record?.subscribed === false && (
        <UnsubscribedNotice
          record={record}
          readAt={readAt}
          isSubscribing={subscribe.isPending}
          onSubscribe={subscribeWorkspace === null ? null : () => ask('to subscribe')}
        />
      )}
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

type UnsubscribedNoticeProps = {
  record: ReadableContact;
  readAt: number;
  isSubscribing: boolean;
  /** Null where the contact cannot be subscribed again. */
  onSubscribe: (() => void) | null;
};

function UnsubscribedNotice({ record, readAt, isSubscribing, onSubscribe }: UnsubscribedNoticeProps) {
  const readDate = new Date(readAt);
  return (
    <Notice
      tone="good"
      title={`${personName(record)} is unsubscribed`}
      actions={
        <>
          <CopyProof record={record} readAt={readAt} />
          {onSubscribe !== null && (
            <Button size="xs" variant="subtle" onClick={onSubscribe}>
              {isSubscribing ? 'Subscribing …' : 'Subscribe again'}
            </Button>
          )}
        </>
      }
    >
      So the service says, asked at {localTime(readDate)} ({localZone}), {exactUtc(readDate)}.
      {record.updated_at !== null && (
        <>
          {' '}
          The record last changed at <UntrustedText text={record.updated_at} />.
        </>
      )}{' '}
      There is nothing left to do.
    </Notice>
  );
}

type CopyProofProps = { record: ReadableContact; readAt: number };

/** Copies one sentence for a ticket: that the contact is unsubscribed, since when and by whom. */
function CopyProof({ record, readAt }: CopyProofProps) {
  const session = useSession();
  const hasLog = useCapability(listContactChanges);
  const last = useQuery({ ...lastSubscriptionQuery(record.uuid), enabled: hasLog });
  const { data: requestId } = useQuery(unsubscribeRequestIdQuery(record.uuid));
  // Wait for the request: the cache may hold an earlier unsubscribe.
  if (hasLog && (last.isPending || last.isFetching)) {
    return (
      <Button size="xs" variant="default" loading>
        Copy proof
      </Button>
    );
  }
  const workspace = session.name ?? (session.workspace_uuid && `the workspace ${session.workspace_uuid}`);
  const change = last.isError ? undefined : (last.data ?? null);
  // Record and log are two responses: the sentence is certain as of the earlier one.
  const checkedAt = last.isSuccess ? Math.min(readAt, last.dataUpdatedAt) : readAt;
  const proof = describeProof({ contact: record, readAt: checkedAt, workspace, change, hasLog, requestId });
  return <CopyButton value={proof} what="proof" label="Copy proof" />;
}
