import { Button } from '@mantine/core';
import type { ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { ActorName } from '../../identity/ActorName.tsx';
import { isUnsubscribe } from '../../identity/findLastSubscriptionChange.ts';
import { shortDate } from '../../ui/format/sentenceTime.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { CopyProofs } from './CopyProofs.tsx';
import { ImportLink } from './ImportLink.tsx';
import { describeWhy, isImport, readTimes } from './proof.ts';
import { CutId, EndCut } from '../../ui/values/UntrustedText.tsx';
import { SinceTime } from './SinceTime.tsx';
import { Subscription } from './Subscription.tsx';
import classes from './Unsubscribe.module.css';
import { useSubscriptionLog } from './useSubscriptionLog.ts';

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
          by <ImportLink run={change.run} />
          {actor !== null && actor.kind !== 'command' && (
            <>
              {' '}
              of <ActorName actor={actor} />
            </>
          )}
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
