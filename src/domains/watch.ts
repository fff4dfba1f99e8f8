import { QueryObserver, type QueryClient } from '@tanstack/react-query';
import { createElement, useSyncExternalStore } from 'react';
import { ApiError } from '../api/ApiError.ts';
import { sessionQuery } from '../session/session.ts';
import { keepToast, showToast } from '../ui/Toast.tsx';
import { isSettled, liveCheckQuery, type LiveCheck } from './liveCheck.ts';
import { WatchToast } from './WatchToast.tsx';

/** Seconds between two checks, whatever the service allows and after a failure that may pass. */
const LEAST = 10;
const AFTER_FAILURE = 30;
/** Milliseconds a tab may be hidden before nobody is taken to wait at it: a lid is shut, a tab forgotten. */
const FORGOTTEN = 60 * 60_000;

/** `trouble`: why the last check came to nothing. */
export type Watch =
  | { now: 'asking' }
  | { now: 'waiting'; next: number; trouble: string | null }
  | { now: 'resting' }
  | { now: 'right' };

type Watched = { uuid: string; name: string };
type Running = { state: Watch; end: AbortController };

const running = new Map<string, Running>();
const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How the watch over a domain stands; null when nobody watches it. */
export function useWatch(domain: string): Watch | null {
  return useSyncExternalStore(subscribe, () => running.get(domain)?.state ?? null);
}

/**
 * Checks a domain again and again until nothing has to change or to be waited for, and says so. It goes on when another
 * page of the console is opened, and ends with the session or the tab.
 */
export function startWatch(client: QueryClient, domain: Watched): void {
  stopWatch(client, domain.uuid);
  const end = new AbortController();
  running.set(domain.uuid, { state: { now: 'asking' }, end });
  changed();
  void run(client, domain, end.signal).finally(() => {
    if (running.get(domain.uuid)?.end !== end || running.get(domain.uuid)?.state.now === 'right') return;
    running.delete(domain.uuid);
    changed();
  });
}

/** Ends the watch over a domain, or takes its last word away; a check under way is stopped with it. */
export function stopWatch(client: QueryClient, domain: string): void {
  const watch = running.get(domain);
  if (watch === undefined) return;
  watch.end.abort();
  running.delete(domain);
  if (watch.state.now === 'asking') void client.cancelQueries({ queryKey: liveCheckQuery(domain).queryKey });
  changed();
}

async function run(client: QueryClient, domain: Watched, end: AbortSignal): Promise<void> {
  const query = liveCheckQuery(domain.uuid);
  const session = client.getQueryData(sessionQuery.queryKey);
  const isOver = () => end.aborted || client.getQueryData(sessionQuery.queryKey) !== session;
  const set = (state: Watch) => {
    const watch = running.get(domain.uuid);
    if (watch === undefined || isOver()) return;
    watch.state = state;
    changed();
  };
  let hiddenSince = document.hidden ? Date.now() : null;
  const see = () => (hiddenSince = document.hidden ? Date.now() : null);
  document.addEventListener('visibilitychange', see, { signal: end });
  // So that the check goes on, and what it found stays, where no page shows it.
  const unsubscribe = new QueryObserver(client, query).subscribe(() => undefined);
  try {
    for (;;) {
      set({ now: 'asking' });
      let wait = AFTER_FAILURE;
      let trouble: string | null = null;
      try {
        const check = await client.query({ ...query, staleTime: 0 });
        if (isRight(check)) break;
        wait = Math.max(LEAST, check.end?.again_in ?? AFTER_FAILURE);
      } catch (error) {
        if (isOver()) return;
        if (!(error instanceof ApiError)) throw error;
        if (!error.passing) return tell(domain, `Watching ended. ${error.message}`);
        trouble = error.message;
        wait = Math.max(AFTER_FAILURE, error.retryAfter ?? 0);
      }
      if (isOver()) return;
      set({ now: 'waiting', next: Date.now() + wait * 1000, trouble });
      await sleep(wait * 1000, end);
      if (hiddenSince !== null && Date.now() - hiddenSince > FORGOTTEN && !mayNotify()) {
        set({ now: 'resting' });
        await untilSeen(end);
      }
      if (isOver()) return;
    }
    if (isOver()) return;
    set({ now: 'right' });
    tell(domain, 'Everything it needs is right in the DNS.');
  } finally {
    document.removeEventListener('visibilitychange', see);
    unsubscribe();
  }
}

function isRight({ found, end }: LiveCheck): boolean {
  return end !== null && found.every((one) => one.kind === 'advice' || isSettled(one.finding));
}

/** In the tab, and by the browser to somebody who is not looking at it. */
function tell(domain: Watched, sentence: string): void {
  showToast(createElement(WatchToast, { domain: domain.name, sentence }));
  keepToast();
  if (!mayNotify() || document.hasFocus()) return;
  try {
    void new Notification(domain.name, { body: sentence, tag: domain.uuid });
  } catch {
    // Chrome on Android has notifications for service workers only; the tab has said it already.
  }
}

/** Whether the browser may show notifications of ours. */
export function mayNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

function sleep(milliseconds: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    end.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

function untilSeen(end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => document.hidden || resolve();
    document.addEventListener('visibilitychange', look, { signal: end });
    end.addEventListener('abort', () => resolve(), { once: true });
  });
}
