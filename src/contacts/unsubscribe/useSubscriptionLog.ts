import { useQuery } from '@tanstack/react-query';
import { listContactChanges } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import type { SubscriptionChange } from '../../identity/findLastSubscriptionChange.ts';
import { useCapability } from '../../session/useSession.ts';
import { lastSubscriptionQuery } from '../timeline/historyQueries.ts';

export type SubscriptionLog = {
  /** Nothing of it is known yet. */
  isFirst: boolean;
  isPending: boolean;
  /** The latest change of the subscription; null if there is none, undefined if the log can't be read. */
  change: SubscriptionChange | null | undefined;
  readAt: number | null;
  hasLog: boolean;
};

export function useSubscriptionLog(record: ReadableContact): SubscriptionLog {
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
