import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { listContacts } from '#contract/additions.ts';
import { listChanges } from '#contract/auditLog.ts';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import { ApiError } from '../../api/ApiError.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { requestWithId } from '../../api/client.ts';
import { newRun } from '../../identity/unsubscribe.ts';
import { useCapability } from '../../session/useSession.ts';
import { isCurrent, useIsShown } from '../mutations.ts';
import { cacheContact, contactQuery } from '../queries.ts';
import { type Failure, type NamedContact, toastFailures } from './FailureList.tsx';

/** `left`: those that were refused or not sent, with why. */
export type SubscribeOutcome = { done: readonly NamedContact[]; left: readonly Failure[] };

type Sent = { workspace: string; reason: string; contacts: readonly NamedContact[] };

/**
 * Subscribes contacts again, one after the other, as one run of the log. What the service refuses for one contact holds up none of the
 * others, such as somebody who was unsubscribed since `seen`; any other error ends it. Trying again skips those that are done. No automatic retry: a late one could undo someone else's newer
 * unsubscribe.
 */
export function useSubscribeSelected() {
  const client = useQueryClient();
  const hasRuns = useCapability(listChanges);
  const run = useRef(newRun());
  const done = useRef(new Map<string, NamedContact>());
  const isShown = useIsShown();
  const mutationKey = [subscribeContact.id, 'selected'];
  return useMutation({
    mutationKey,
    mutationFn: async ({ workspace, reason, contacts }: Sent): Promise<SubscribeOutcome> => {
      const rest = contacts.filter(({ contact }) => !done.current.has(contact));
      const failed: [contact: NamedContact, error: unknown][] = [];
      for (const [at, named] of rest.entries()) {
        const { contact, seen } = named;
        if (!isCurrent(client, mutationKey)) break;
        try {
          const input = { workspace, contact, body: { reason, ...(seen !== undefined && { seen }) } };
          const runOfAll = hasRuns ? run.current : undefined;
          const { result } = await requestWithId(subscribeContact, input, undefined, runOfAll);
          if (!isCurrent(client, mutationKey)) break;
          done.current.set(contact, named);
          void client.cancelQueries({ queryKey: contactQuery(contact).queryKey });
          cacheContact(client, result.data);
        } catch (error) {
          const isRefusal = isOfContact(error);
          failed.push(...(isRefusal ? [named] : rest.slice(at)).map((one): [NamedContact, unknown] => [one, error]));
          if (!isRefusal) break;
        }
      }
      const outcome = { done: [...done.current.values()], left: toFailures(failed) };
      if (!isCurrent(client, mutationKey)) return outcome;
      for (const operation of [listContactChanges, listContacts]) await readAgain(client, operation);
      if (!isShown.current && failed.length > 0) toastFailures(outcome.left, 'subscribed again');
      return outcome;
    },
  });
}

/** Whether the service refuses this contact: someone who complained needs an admin, and an erased one is gone. */
const isOfContact = (error: unknown) => error instanceof ApiError && [403, 404, 409, 422].includes(error.status ?? 0);

/** Contacts that were refused for the same reason, together. */
const toFailures = (failed: readonly [contact: NamedContact, error: unknown][]): Failure[] =>
  [...Map.groupBy(failed, ([, error]) => (error as Error).message).values()].map((group) => ({
    contacts: group.map(([contact]) => contact),
    error: group[0]?.[1],
  }));
