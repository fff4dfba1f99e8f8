import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { listContactChanges, type ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { clockSkew } from '../../api/client.ts';
import { ActorName } from '../../identity/ActorName.tsx';
import { isUnsubscribe } from '../../identity/findLastSubscriptionChange.ts';
import { useCapability, useSession } from '../../session/useSession.ts';
import { shortDate } from '../../ui/format/sentenceTime.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { answeredUnsubscribeQuery, lastSubscriptionQuery } from '../timeline/historyQueries.ts';
import { describeProof, describeToCustomer, describeWhy, isImport, readTimes } from './proof.ts';
import { CutId, EndCut } from '../../ui/values/UntrustedText.tsx';
import { SinceTime } from './SinceTime.tsx';
import { Subscription } from './Subscription.tsx';
import classes from './Unsubscribe.module.css';

type Props = {
  record: ReadableContact;
  readAt: number;
  isSubscribing: boolean;
  onSubscribe: (() => void) | null;
};

export function UnsubscribedFacts({ record, readAt, isSubscribing, onSubscribe }: Props) {
  const log = useSubscriptionLog(record);
  // What record and log say together is certain as of the earlier one.
  const checkedAt = log.readAt === null ? readAt : Math.min(readAt, log.readAt);
  const why = isUnsubscribe(log.change) ? describeWhy(log.change) : '';
  return (
    <>
      <div className={classes.said}>
        <p className={classes.parts}>
          <Subscription subscribed={false} />
          {isUnsubscribe(log.change) && <Since change={log.change} />}
        </p>
        {why !== '' && (
          <p>
            <EndCut text={`Reason: ${why}`} />
          </p>
        )}
        {!log.isFirst && (
          <p className={classes.parts}>
            {isUnsubscribe(log.change) && <Request id={log.change.request_id} />}
            <span>
              Confirmed <DateTime value={new Date(checkedAt).toISOString()} />
            </span>
          </p>
        )}
      </div>
      <div className={classes.actions}>
        <CopyProofs record={record} checkedAt={checkedAt} log={log} />
        {onSubscribe !== null && (
          <Button size="xs" variant="subtle" onClick={onSubscribe}>
            {isSubscribing ? 'Subscribing …' : 'Subscribe again'}
          </Button>
        )}
      </div>
    </>
  );
}

/** Since when, and by whom. */
function Since({ change }: { change: ReadableChange }) {
  const { actor } = change;
  const { since, importedAt } = readTimes(change);
  return (
    <>
      {since !== null && (
        <span>
          since <SinceTime value={since} />
        </span>
      )}
      {isImport(change) && (
        <span>
          by an import
          {importedAt !== null && (
            <>
              {' '}
              on <DateTime value={importedAt} show={shortDate} />
            </>
          )}
        </span>
      )}
      {!isImport(change) && actor !== null && actor.kind !== 'command' && (
        <span>
          by <ActorName actor={actor} />
        </span>
      )}
    </>
  );
}

function Request({ id }: { id: string | null }) {
  if (id === null) return null;
  return (
    <span>
      Request{' '}
      <span className={`mono ${classes.id}`}>
        <CutId id={id} />
      </span>
      <CopyButton value={id} what="request ID" />
    </span>
  );
}

type SubscriptionLog = {
  /** Nothing of it is known yet. */
  isFirst: boolean;
  isPending: boolean;
  /** The latest change of the subscription; null if there is none, undefined if the log can't be read. */
  change: ReadableChange | null | undefined;
  readAt: number | null;
  hasLog: boolean;
};

function useSubscriptionLog(record: ReadableContact): SubscriptionLog {
  const hasLog = useCapability(listContactChanges);
  const last = useQuery({ ...lastSubscriptionQuery(record.uuid), enabled: hasLog });
  return {
    isFirst: hasLog && last.isPending,
    // Also while refetching: the cache may have an earlier unsubscribe.
    isPending: hasLog && (last.isPending || last.isFetching),
    change: last.isError ? undefined : (last.data ?? null),
    readAt: last.isSuccess ? last.dataUpdatedAt : null,
    hasLog,
  };
}

type CopyProofsProps = { record: ReadableContact; checkedAt: number; log: SubscriptionLog };

function CopyProofs({ record, checkedAt, log }: CopyProofsProps) {
  const session = useSession();
  const { data: answered } = useQuery(answeredUnsubscribeQuery(record.uuid));
  // By the service's clock: this computer's may be wrong.
  const readAt = useMemo(() => checkedAt + clockSkew.read(), [checkedAt]);
  const { change, hasLog, isPending } = log;
  const workspace = session.name ?? (session.workspace_uuid && `the workspace ${session.workspace_uuid}`);
  const known = { contact: record, readAt, change };
  return (
    <>
      <CopyButton
        value={describeProof({ ...known, workspace, hasLog, answered })}
        what="proof for the ticket"
        label="Copy for ticket"
        isLoading={isPending}
        action="copy-proof"
        shortcut="t"
      />
      <CopyButton
        value={describeToCustomer({ ...known, sender: session.name })}
        what="proof for the customer"
        label="Copy for customer"
        isLoading={isPending}
      />
    </>
  );
}
