import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { listChanges } from '#contract/auditLog.ts';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import { unsubscribeContact } from '#contract/interface.ts';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import { withRetries } from '../../api/retry.ts';
import { newRun, UnsubscribeCall, type CompletedUnsubscribe } from '../../identity/unsubscribe.ts';
import { rememberWorkspace } from '../../session/session.ts';
import { useCapability } from '../../session/useSession.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { announce } from '../../ui/page/announce.ts';
import { cacheUpdatedContact, isCurrent, useIsShown } from '../mutations.ts';
import { readContactAgain } from '../queries.ts';
import { type AnsweredUnsubscribe, answeredUnsubscribeQuery } from '../timeline/historyQueries.ts';
import { type Failure, type NamedContact, toastFailures } from './FailureList.tsx';
import { offerUndo } from './UndoUnsubscribe.tsx';

const newAttempt = () => ({
  run: newRun(),
  calls: new Map<string, UnsubscribeCall>(),
  done: new Map<string, CompletedUnsubscribe>(),
});

/**
 * Unsubscribes contacts one after the other in the workspace given to `mutate`, with retries: it's idempotent. Trying again skips
 * those that are done. Then offers to undo, also if the page was left, but not after a sign-out. Throws the last failure;
 * `results` has an error, or null for a success, for each contact.
 */
export function useUnsubscribe(contacts: readonly NamedContact[]) {
  const client = useQueryClient();
  const hasRuns = useCapability(listChanges);
  const canUndo = [useCapability(listContactChanges), useCapability(subscribeContact)].every(Boolean);
  const [results, setResults] = useState<ReadonlyMap<string, unknown>>(new Map());
  // Kept when it's tried again: a failed request may have taken effect.
  const attempt = useRef(newAttempt());
  const isShown = useIsShown();
  const mutationKey = [unsubscribeContact.id, ...contacts.map(({ contact }) => contact)];
  const mutation = useMutation({
    mutationKey,
    mutationFn: async ({ workspace, body }: { workspace: string; body: Unsubscription | undefined }) => {
      const { run, calls, done } = attempt.current;
      const failures: Failure[] = [];
      for (const named of contacts) {
        const { contact } = named;
        if (done.has(contact)) continue;
        const call = calls.get(contact) ?? new UnsubscribeCall(hasRuns ? run : undefined);
        calls.set(contact, call);
        let result: unknown = null;
        try {
          const response = await withRetries(() => {
            // A retry would be sent with the cookie of the next user.
            if (!isCurrent(client, mutationKey)) throw new DOMException('Signed out', 'AbortError');
            return call.send({ workspace, contact, body });
          });
          if (!isCurrent(client, mutationKey)) return;
          done.set(contact, response);
          await cacheUnsubscribed(client, response, contact);
        } catch (error) {
          result = error;
          failures.push({ contacts: [named], error });
          // It may have happened: the page shows what it is now.
          if (call.wasLost && isCurrent(client, mutationKey)) void readContactAgain(client);
        }
        setResults((before) => new Map([...before, [contact, result]]));
      }
      if (!isCurrent(client, mutationKey)) return;
      const inToast = isShown.current ? [] : failures;
      if (inToast.length > 0) toastFailures(inToast, 'unsubscribed');
      if (done.size > 0) {
        // The service accepted the ID.
        rememberWorkspace(client, workspace);
        if (!canUndo || (failures.length > 0 && isShown.current)) announce(describeDone(contacts, done.size));
        if (canUndo) void offerUndo(client, [...done.values()], { workspace, said: body, failures: inToast });
      }
      if (failures.length > 0) throw failures.at(-1)?.error;
      attempt.current = newAttempt();
    },
  });
  return { ...mutation, results };
}

const describeDone = (contacts: readonly NamedContact[], done: number): string =>
  contacts.length === 1
    ? `${contacts[0]?.name} is unsubscribed`
    : `${formatCount(done)} of ${formatCount(contacts.length)} contacts are unsubscribed`;

async function cacheUnsubscribed(client: QueryClient, done: CompletedUnsubscribe, contact: string): Promise<void> {
  const answered: AnsweredUnsubscribe = { requestId: done.requestId, isRepeat: done.isRepeat };
  for (const key of [contact, done.contact.uuid]) client.setQueryData(answeredUnsubscribeQuery(key).queryKey, answered);
  await cacheUpdatedContact(client, done.contact, contact);
}
