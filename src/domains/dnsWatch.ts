import { CancelledError, QueryObserver, type QueryClient } from '@tanstack/react-query';
import { createElement, useSyncExternalStore } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { sessionQuery } from '../session/session.ts';
import { announce } from '../ui/announce.ts';
import { localMoment } from '../ui/time.ts';
import { pinToast, showToast } from '../ui/Toast.tsx';
import { liveCheckQuery } from './liveCheck.ts';
import { describeCheck, isRight } from './checkSummary.ts';
import { WatchToast } from './WatchToast.tsx';

/** Seconds between two checks, whatever the service allows and after a failure that may pass. */
const LEAST = 10;
const AFTER_FAILURE = 30;
/** A timer counts 24 days, and with more it ends at once. */
const MOST = 86_400;
/** Milliseconds a tab may be hidden before nobody is taken to wait at it: a lid is shut, a tab forgotten. */
const FORGOTTEN = 60 * 60_000;

/** `trouble`: why the last check came to nothing. */
export type WatchState =
  | { now: 'asking' }
  | { now: 'waiting'; next: number; trouble: string | null }
  | { now: 'resting' }
  | { now: 'right' };

type WatchedDomain = { uuid: string; name: string };
type RunningWatch = { state: WatchState; end: AbortController };

const running = new Map<string, RunningWatch>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How the watch over a domain stands; null when nobody watches it. */
export function useWatch(domain: string): WatchState | null {
  return useSyncExternalStore(subscribe, () => running.get(domain)?.state ?? null);
}

/**
 * Checks a domain again and again until nothing has to change or to be waited for, and says so. It goes on when another
 * page of the console is opened, and ends with the session or the tab.
 */
export function startWatch(client: QueryClient, domain: WatchedDomain): void {
  stopWatch(client, domain.uuid);
  const end = new AbortController();
  running.set(domain.uuid, { state: { now: 'asking' }, end });
  changed();
  void run(client, domain, end).finally(() => {
    if (running.get(domain.uuid)?.end !== end) return;
    running.delete(domain.uuid);
    changed();
  });
}

/** Ends the watch over a domain, or takes its last word away; a check under way is stopped with it. */
export function stopWatch(client: QueryClient, domain: string): void {
  const watch = running.get(domain);
  if (watch === undefined) return;
  running.delete(domain);
  watch.end.abort();
  if (watch.state.now === 'asking') void client.cancelQueries({ queryKey: liveCheckQuery(domain).queryKey });
  changed();
}

async function run(client: QueryClient, domain: WatchedDomain, ending: AbortController): Promise<void> {
  const query = liveCheckQuery(domain.uuid);
  const end = ending.signal;
  const set = (state: WatchState) => {
    if (end.aborted) return;
    running.set(domain.uuid, { state, end: ending });
    changed();
  };
  let hiddenSince = document.hidden ? Date.now() : null;
  const see = () => {
    hiddenSince = document.hidden ? Date.now() : null;
  };
  document.addEventListener('visibilitychange', see);
  const unsubscribe = [
    // So that the check goes on, and what it found stays, where no page shows it.
    new QueryObserver(client, query).subscribe(() => undefined),
    new QueryObserver(client, { ...sessionQuery, enabled: false }).subscribe(
      ({ data }) => data === null && ending.abort(),
    ),
  ];
  let told = '';
  announce(`Watching ${domain.name}: asking the DNS`);
  try {
    for (;;) {
      set({ now: 'asking' });
      const { isRight, summary, wait, trouble, failure } = await ask(client, domain.uuid);
      if (end.aborted) return;
      if (failure !== null) return notifyUser(domain, `Watching ended. ${failure}`);
      if (isRight) break;
      const next = Date.now() + wait * 1000;
      set({ now: 'waiting', next, trouble });
      const news = trouble ?? summary;
      // A round that brings nothing new is not worth an interruption.
      if (news !== told) announce(`Watching ${domain.name}; asks again at ${localMoment(new Date(next))}. ${news}`);
      told = news;
      await sleep(wait * 1000, end);
      if (hiddenSince !== null && Date.now() - hiddenSince > FORGOTTEN && notifications() !== 'granted') {
        set({ now: 'resting' });
        await untilSeen(end);
      }
      if (end.aborted) return;
    }
    set({ now: 'right' });
    notifyUser(domain, 'Everything it needs is right in the DNS.');
    await aborted(end);
  } finally {
    document.removeEventListener('visibilitychange', see);
    for (const stop of unsubscribe) stop();
  }
}

/** `summary`: what was found, in words. `wait`: seconds. `failure`: why there is no use in asking again. */
type WatchCheckResult = {
  isRight: boolean;
  summary: string;
  wait: number;
  trouble: string | null;
  failure: string | null;
};

async function ask(client: QueryClient, domain: string): Promise<WatchCheckResult> {
  const outcome: WatchCheckResult = { isRight: false, summary: '', wait: AFTER_FAILURE, trouble: null, failure: null };
  try {
    const check = await client.query({ ...liveCheckQuery(domain), staleTime: 0 });
    const { completion } = check;
    if (completion === null) return outcome;
    return {
      ...outcome,
      isRight: isRight(completion.domain.dns, check),
      summary: describeCheck(completion.domain, check),
      wait: Math.min(MOST, Math.max(LEAST, completion.again_in)),
    };
  } catch (error) {
    // A check that was stopped before it had begun.
    if (error instanceof CancelledError) return outcome;
    if (!(error instanceof ApiError)) throw error;
    if (!error.isTransient) return { ...outcome, failure: error.message };
    return { ...outcome, wait: Math.max(AFTER_FAILURE, error.retryAfter ?? 0), trouble: error.message };
  }
}

/** In the tab, and by the browser to somebody who is not looking at it. */
function notifyUser(domain: WatchedDomain, sentence: string): void {
  showToast(createElement(WatchToast, { domain: domain.name, sentence }));
  pinToast();
  if (notifications() !== 'granted' || document.hasFocus()) return;
  try {
    void new Notification(domain.name, { body: sentence, tag: domain.uuid });
  } catch {
    // Chrome on Android has notifications for service workers only; the tab has said it already.
  }
}

/** Whether the browser shows notifications of ours, as far as it knows. */
export function notifications(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied';
}

async function sleep(milliseconds: number, end: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, milliseconds);
  await Promise.race([over.promise, aborted(end)]);
  clearTimeout(timer);
}

async function untilSeen(end: AbortSignal): Promise<void> {
  const seen = Promise.withResolvers<void>();
  const look = () => {
    if (!document.hidden) seen.resolve();
  };
  document.addEventListener('visibilitychange', look, { signal: end });
  look();
  await Promise.race([seen.promise, aborted(end)]);
}

function aborted(end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (end.aborted) resolve();
    end.addEventListener('abort', () => resolve(), { once: true });
  });
}
