import { useQuery, type QueryClient } from '@tanstack/react-query';
import { listContactChanges } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { isStrongReason, type StrongReason } from '#contract/suppressions/suppression.ts';
import { workThrough } from '../../api/sender.ts';
import { isUnsubscribe, reasonOf } from '../../identity/findLastSubscriptionChange.ts';
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

type StrongReasons = ReadonlyMap<string, StrongReason>;

const NONE: StrongReasons = new Map();

/** By UUID, why the user may not subscribe a contact again, because only an admin may; undefined until it's known. */
export function useAdminOnly(contacts: readonly ReadableContact[]): StrongReasons | undefined {
  const hasLog = useCapability(listContactChanges);
  const isAsked = useMissing('admin') !== null && hasLog;
  const uuids = contacts.map(({ uuid }) => uuid);
  const { data } = useQuery({
    queryKey: ['strong reasons', uuids],
    queryFn: ({ client, signal }) => readStrongReasons(client, uuids, signal),
    enabled: isAsked,
    staleTime: Infinity,
    gcTime: 0,
  });
  return isAsked ? data : NONE;
}

async function readStrongReasons(client: QueryClient, uuids: readonly string[], signal: AbortSignal) {
  const reasons = new Map<string, StrongReason>();
  const read = async (uuid: string) => {
    // The service itself refuses somebody whose log can't be read.
    const last = await client.query(lastSubscriptionQuery(uuid)).catch(() => null);
    const reason = isUnsubscribe(last) ? reasonOf(last) : null;
    if (isStrongReason(reason)) reasons.set(uuid, reason);
  };
  await workThrough(uuids, read, signal);
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
