import { useIsMutating, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Attributes } from '#contract/values/field.ts';
import { listContacts } from '#contract/additions.ts';
import { listContactChanges, subscribeContact } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { unsubscribeContact, updateContact } from '#contract/interface.ts';
import { listChanges } from '#contract/auditLog.ts';
import { ApiError } from '../api/ApiError.ts';
import { readAgain } from '../api/apiQuery.ts';
import { request } from '../api/client.ts';
import { retry, retryDelay } from '../api/retry.ts';
import { Sender } from '../api/sender.ts';
import { newRun, unsubscribe, type CompletedUnsubscribe } from '../identity/unsubscribe.ts';
import { useCapability } from '../session/useSession.ts';
import { continueDraft, dropDraft, keepDraft, readKeptDraft } from './attributes/attributeDrafts.ts';
import { type AnsweredUnsubscribe, answeredUnsubscribeQuery } from './timeline/historyQueries.ts';
import { type Failure, type NamedContact, tellNotDone } from './unsubscribe/NotDone.tsx';
import { cacheContact, contactQuery } from './queries.ts';

const updateKey = (contact: string) => [updateContact.id, contact];

/**
 * Whether an update of the contact is under way. `onUpdated` is called with each that succeeds, also with one that a form sent which
 * was left: the one that is open now has the same draft.
 */
export function useUpdates(contact: string, onUpdated: (updated: ReadableContact, sent: Attributes) => void): boolean {
  const client = useQueryClient();
  const isPending = useIsMutating({ mutationKey: updateKey(contact), exact: true }) > 0;
  const tell = useEffectEvent(onUpdated);
  useEffect(() => {
    const cache = client.getMutationCache();
    const mutationKey = updateKey(contact);
    return cache.subscribe((event) => {
      if (event.type !== 'updated' || event.action.type !== 'success') return;
      const { mutation } = event;
      // After a sign-out it is in the cache no more.
      if (cache.find({ mutationKey, exact: true, predicate: (one) => one === mutation }) === undefined) return;
      tell(mutation.state.data as ReadableContact, mutation.state.variables as Attributes);
    });
  }, [client, contact]);
  return isPending;
}

/** Updates attributes. No automatic retry: a late one could overwrite somebody's newer change. */
export function useUpdateContact(contact: string) {
  const client = useQueryClient();
  const mutationKey = updateKey(contact);
  return useMutation({
    mutationKey,
    mutationFn: (attributes: Attributes) => request(updateContact, { contact, body: { attributes } }),
    onSuccess: async (updated) => {
      if (!isCurrent(client, mutationKey)) return;
      // Here, because the page may have been left.
      const draft = readKeptDraft(client, contact);
      const rest = draft && continueDraft(draft, updated);
      if (rest === null) dropDraft(client, contact);
      else keepDraft(client, contact, rest);
      await cacheUpdatedContact(client, updated, contact);
    },
  });
}

/**
 * Unsubscribes; the variable is the ID of the workspace. Idempotent, so transient errors are retried. `onUnsubscribed`
 * is also called after the page was left, but not after a sign-out. An error is told in a toast then.
 */
export function useUnsubscribe(
  { contact, name }: NamedContact,
  onUnsubscribed: (done: CompletedUnsubscribe, workspace: string) => void,
) {
  const client = useQueryClient();
  const hasRuns = useHasRuns();
  const isShown = useIsShown();
  const mutationKey = [unsubscribeContact.id, contact];
  const wasLost = useRef(false);
  const run = useRef(newRun());
  return useMutation({
    mutationKey,
    mutationFn: async (workspace: string) => {
      throwIfSignedOut(client, mutationKey);
      const done = await unsubscribe({ workspace, contact }, hasRuns ? run.current : undefined, () => {
        wasLost.current = true;
      });
      const isRepeat = wasLost.current;
      // Not at the start: an unsubscribe that has failed may have been done, and is asked for once more.
      wasLost.current = false;
      run.current = newRun();
      return { ...done, isRepeat };
    },
    retry,
    retryDelay,
    onSuccess: async (done, workspace) => {
      if (!isCurrent(client, mutationKey)) return;
      await cacheUnsubscribed(client, done, contact);
      if (isCurrent(client, mutationKey)) onUnsubscribed(done, workspace);
    },
    onError: (error) => {
      if (!isShown.current && isCurrent(client, mutationKey))
        tellNotDone([{ contacts: [{ contact, name }], error }], 'unsubscribed');
    },
  });
}

/** Whether the component is still there, which shows the error of its request. */
function useIsShown(): { current: boolean } {
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}

/** Whether the log of the service says which requests belong together. Where an answer was lost, it tells whether one of ours did it. */
const useHasRuns = () => useCapability(listChanges);

type SeveralContacts = { workspace: string; contacts: readonly NamedContact[] };

/**
 * Unsubscribes one contact after the other; those that are done are left out when it is tried again. `results` has an error, or null for a
 * success, for each. `onUnsubscribed` gets all that are done after each try, also after the dialog was closed, but not after a sign-out.
 * What has failed is told in a toast then: `inToast`, for a toast that takes its place.
 */
export function useUnsubscribeSeveral(
  onUnsubscribed: (done: readonly CompletedUnsubscribe[], workspace: string, inToast: readonly Failure[]) => void,
) {
  const client = useQueryClient();
  const hasRuns = useHasRuns();
  const [results, setResults] = useState<ReadonlyMap<string, ApiError | null>>(new Map());
  const completed = useRef(new Map<string, CompletedUnsubscribe>());
  const lost = useRef(new Set<string>());
  const run = useRef(newRun());
  const isShown = useIsShown();
  const mutationKey = [unsubscribeContact.id, 'several'];
  const { mutate, isPending } = useMutation({
    mutationKey,
    mutationFn: async ({ workspace, contacts }: SeveralContacts) => {
      const sender = new Sender(new AbortController().signal);
      const failures: Failure[] = [];
      for (const named of contacts) {
        const { contact } = named;
        if (completed.current.has(contact)) continue;
        let result: ApiError | null = null;
        try {
          const answered = await sender.send(async () => {
            throwIfSignedOut(client, mutationKey);
            return unsubscribe({ workspace, contact }, hasRuns ? run.current : undefined, () => {
              lost.current.add(contact);
            });
          });
          if (!isCurrent(client, mutationKey)) return;
          const done = { ...answered, isRepeat: lost.current.has(contact) };
          completed.current.set(contact, done);
          await cacheUnsubscribed(client, done, contact);
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          result = error;
          failures.push({ contacts: [named], error });
        }
        setResults((before) => new Map([...before, [contact, result]]));
      }
      if (!isCurrent(client, mutationKey)) return;
      const inToast = isShown.current ? [] : failures;
      if (inToast.length > 0) tellNotDone(inToast, 'unsubscribed');
      onUnsubscribed([...completed.current.values()], workspace, inToast);
    },
  });
  return { mutate, isPending, results };
}

/** Caches the record from the response, and how it was answered as its proof. */
async function cacheUnsubscribed(client: QueryClient, done: CompletedUnsubscribe, contact: string): Promise<void> {
  const answered: AnsweredUnsubscribe = { requestId: done.requestId, isRepeat: done.isRepeat };
  for (const key of [contact, done.contact.uuid]) client.setQueryData(answeredUnsubscribeQuery(key).queryKey, answered);
  await cacheUpdatedContact(client, done.contact, contact);
}

/**
 * Subscribes again. No automatic retry: a late one could undo somebody's newer unsubscribe. `onSubscribed` is also
 * called after the page was left, but not after a sign-out. An error is told in a toast then.
 */
export function useSubscribe(contacts: readonly NamedContact[], onSubscribed: () => void) {
  const client = useQueryClient();
  const isShown = useIsShown();
  const mutationKey = [subscribeContact.id, ...contacts.map(({ contact }) => contact)];
  return useMutation({
    mutationKey,
    mutationFn: async ({ workspace, reason }: { workspace: string; reason: string }) => {
      for (const [at, { contact }] of contacts.entries()) {
        try {
          const { data } = await request(subscribeContact, { workspace, contact, body: { reason } });
          if (!isCurrent(client, mutationKey)) return;
          await cacheUpdatedContact(client, data, contact);
        } catch (error) {
          if (!isShown.current && isCurrent(client, mutationKey))
            tellNotDone([{ contacts: contacts.slice(at), error }], 'subscribed again');
          throw error;
        }
      }
    },
    onSuccess: () => {
      if (isCurrent(client, mutationKey)) onSubscribed();
    },
  });
}

/** False after a sign-out, which clears the mutation cache: the callbacks must not run for the next user. */
const isCurrent = (client: QueryClient, mutationKey: readonly string[]) => client.isMutating({ mutationKey }) > 0;

/**
 * Throws after a sign-out. To be called before each try of a request that is sent again: it would be sent with the cookie of the next
 * user, and logged as theirs.
 */
function throwIfSignedOut(client: QueryClient, mutationKey: readonly string[]): void {
  if (!isCurrent(client, mutationKey)) throw new DOMException('Signed out', 'AbortError');
}

/** Caches the record from the response to a write, and invalidates what else the write may have changed. */
async function cacheUpdatedContact(client: QueryClient, updated: ReadableContact, contact: string): Promise<void> {
  // The answer to a reading that began before the write would take its place.
  for (const key of [updated.uuid, contact]) void client.cancelQueries({ queryKey: contactQuery(key).queryKey });
  cacheContact(client, updated, contact);
  // Not awaited: the mutation is done without its entry in the log.
  void readAgain(client, listContactChanges);
  await readAgain(client, listContacts);
}
