import { useQuery } from '@tanstack/react-query';
import { listContactChanges } from '#contract/change.ts';
import { isUnsubscribe, reasonOf } from '../../identity/findLastSubscriptionChange.ts';
import { isStrongReason } from '#contract/suppressions/suppression.ts';
import { useCapability } from '../../session/useSession.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { lastSubscriptionQuery } from '../timeline/historyQueries.ts';
import { describeWhy, readTimes } from './proof.ts';
import { SinceTime } from './SinceTime.tsx';

/** Since when and why a contact is unsubscribed, for anyone who subscribes it again. Nothing where the log doesn't say so. */
export function WhyUnsubscribed({ contact }: { contact: string }) {
  const { data: change } = useQuery({
    ...lastSubscriptionQuery(contact),
    enabled: useCapability(listContactChanges),
  });
  if (!isUnsubscribe(change)) return null;
  const why = describeWhy(change);
  const { since } = readTimes(change);
  const Why = isStrongReason(reasonOf(change)) ? 'strong' : 'span';
  return (
    <span className="note">
      Unsubscribed
      {why !== '' && (
        <>
          :{' '}
          <Why>
            <UntrustedText text={why} />
          </Why>
        </>
      )}
      {since !== null && (
        <>
          {why === '' ? ' ' : ', '}since <SinceTime value={since} />
        </>
      )}
    </span>
  );
}
