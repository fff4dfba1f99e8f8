import { useQuery } from '@tanstack/react-query';
import { listContactChanges } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { isUnsubscribe, reasonOf } from '../../identity/findLastSubscriptionChange.ts';
import { useCapability } from '../../session/useSession.ts';
import { lastSubscriptionQuery } from '../timeline/historyQueries.ts';

/** Why a contact is unsubscribed; null if nobody said or the log can't be read, undefined until it's known. */
export function useReason(record: ReadableContact | undefined): string | null | undefined {
  const hasLog = useCapability(listContactChanges);
  const isUnsubscribed = record?.subscribed === false;
  const last = useQuery({ ...lastSubscriptionQuery(record?.uuid ?? ''), enabled: hasLog && isUnsubscribed });
  if (!isUnsubscribed || !hasLog || last.isError) return null;
  if (last.isPending) return undefined;
  return isUnsubscribe(last.data) ? reasonOf(last.data) : null;
}
