import { useQuery, type QueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listContactChanges } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { isStrongReason, type StrongReason } from '#contract/suppressions/suppression.ts';
import { workThrough } from '../../api/sender.ts';
import { isUnsubscribe, reasonOf, type SubscriptionChange } from '../../identity/findLastSubscriptionChange.ts';
import { useMissing } from '../../session/useMissingRole.ts';
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

export type LastChanges = ReadonlyMap<string, SubscriptionChange | null>;

const NONE: LastChanges = new Map();

/**
 * By UUID, the last change of each one's subscription when the component was mounted; undefined until all are read. Empty for a service
 * without a log.
 */
export function useLastChanges(contacts: readonly string[]) {
  const hasLog = useCapability(listContactChanges);
  const [uuids] = useState(contacts);
  const query = useQuery({
    queryKey: ['last of the subscriptions', uuids],
    queryFn: ({ client, signal }) => readLastChanges(client, uuids, signal),
    enabled: hasLog,
    staleTime: Infinity,
    gcTime: 0,
  });
  return { last: hasLog ? query.data : NONE, error: query.error, retry: () => void query.refetch() };
}

async function readLastChanges(client: QueryClient, uuids: readonly string[], signal: AbortSignal) {
  const last = new Map<string, SubscriptionChange | null>();
  const read = async (uuid: string) => {
    last.set(uuid, await client.query({ ...lastSubscriptionQuery(uuid), staleTime: 0 }));
  };
  await workThrough(uuids, read, signal);
  return last;
}

/** By UUID, why the user may not subscribe a contact again, because only an admin may. */
export function useAdminOnly(last: LastChanges): ReadonlyMap<string, StrongReason> {
  const isAdmin = useMissing('admin') === null;
  const reasons = new Map<string, StrongReason>();
  for (const [uuid, change] of isAdmin ? [] : last) {
    const reason = isUnsubscribe(change) ? reasonOf(change) : null;
    if (isStrongReason(reason)) reasons.set(uuid, reason);
  }
  return reasons;
}

/** `after a complaint or for a legal reason`. */
export function describeStrong(reasons: Iterable<StrongReason>): string {
  const words = { complaint: 'after a complaint', legal: 'for a legal reason' };
  return [...new Set(reasons)]
    .toSorted()
    .map((reason) => words[reason])
    .join(' or ');
}

/** `notAdmin`: of `useMissing`. */
export const refuseStrong = (reason: StrongReason, notAdmin: string): string =>
  `After a ${reason === 'complaint' ? 'complaint' : 'legal reason'}, subscribing again ${notAdmin}`;
