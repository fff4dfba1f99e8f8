import { CancelledError, QueryObserver, type QueryClient } from '@tanstack/react-query';
import { createElement } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { delay } from '../../api/delay.ts';
import { sessionQuery } from '../../session/session.ts';
import { announce } from '../../ui/page/announce.ts';
import { setRailMark } from '../../ui/page/railMarks.ts';
import { createStore, useStore } from '../../ui/page/store.ts';
import { localMoment } from '../../ui/format/time.ts';
import { pinToast, showToast } from '../../ui/Toast.tsx';
import { paths } from '../../url/paths.ts';
import { liveCheckQuery } from './liveCheck.ts';
import { describeCheck, isRight } from './checkSummary.ts';
import { WatchToast } from './WatchToast.tsx';

/** Seconds between two checks: the minimum, and the minimum after an error. */
const INTERVAL_MIN = 10;
const RETRY_INTERVAL_MIN = 30;
/** Seconds. A timer of more than 24 days would fire at once. */
const INTERVAL_MAX = 86_400;
/** Milliseconds. The watch pauses when the tab was hidden for longer. */
const HIDDEN_MAX = 60 * 60_000;

/** `next`: milliseconds since the epoch. `trouble`: why the last check failed, null after a success. */
export type WatchState =
  | { now: 'asking' }
  | { now: 'waiting'; next: number; trouble: string | null }
  | { now: 'resting' }
  | { now: 'right' };

type WatchedDomain = { uuid: string; name: string };
type RunningWatch = { state: WatchState; end: AbortController };

const running = createStore<ReadonlyMap<string, RunningWatch>>(new Map());

function setWatch(domain: string, watch: RunningWatch | null): void {
  const next = new Map(running.read());
  if (watch === null) next.delete(domain);
  else next.set(domain, watch);
  const count = [...next.values()].filter(({ state }) => state.now !== 'right').length;
  setRailMark(paths.domains, count === 0 ? null : { text: `${count} watched`, isRunning: true });
  running.write(next);
}

/** The state of the watch of a domain; null without one. */
export function useWatch(domain: string): WatchState | null {
  return useStore(running).get(domain)?.state ?? null;
}

/**
 * Checks a domain repeatedly until all its records are right, and then notifies the user. The watch goes on when another
 * page of the console is opened. It ends with the session or the tab.
 */
export function startWatch(client: QueryClient, domain: WatchedDomain): void {
  stopWatch(client, domain.uuid);
  const end = new AbortController();
  setWatch(domain.uuid, { state: { now: 'asking' }, end });
  void run(client, domain, end).finally(() => {
    if (running.read().get(domain.uuid)?.end === end) setWatch(domain.uuid, null);
  });
}

/**
 * Ends the watch of a domain, or removes the state of one that has ended. A check of the watch in flight is cancelled.
 */
export function stopWatch(client: QueryClient, domain: string): void {
  const watch = running.read().get(domain);
  if (watch === undefined) return;
  watch.end.abort();
  if (watch.state.now === 'asking') void client.cancelQueries({ queryKey: liveCheckQuery(domain).queryKey });
  setWatch(domain, null);
}

async function run(client: QueryClient, domain: WatchedDomain, ending: AbortController): Promise<void> {
  const query = liveCheckQuery(domain.uuid);
  const end = ending.signal;
  const set = (state: WatchState) => {
    if (end.aborted) return;
    setWatch(domain.uuid, { state, end: ending });
  };
  let hiddenSince = document.hidden ? Date.now() : null;
  const updateHidden = () => {
    hiddenSince = document.hidden ? Date.now() : null;
  };
  document.addEventListener('visibilitychange', updateHidden);
  const unsubscribe = [
    // Without an observer, the check would be cancelled and its result removed when no page shows it.
    new QueryObserver(client, query).subscribe(() => undefined),
    new QueryObserver(client, { ...sessionQuery, enabled: false }).subscribe(
      ({ data }) => data === null && ending.abort(),
    ),
  ];
  let announced = '';
  announce(`Watching ${domain.name}: checking`);
  try {
    for (;;) {
      set({ now: 'asking' });
      const { isRight, summary, wait, trouble, failure } = await check(client, domain.uuid);
      if (end.aborted) return;
      if (failure !== null) return notifyUser(domain, `Watching ended. ${failure}`);
      if (isRight) break;
      const next = Date.now() + wait * 1000;
      set({ now: 'waiting', next, trouble });
      const result = trouble ?? summary;
      // The same result is announced only once.
      if (result !== announced) {
        announce(`Watching ${domain.name}; checks again at ${localMoment(new Date(next))}. ${result}`);
      }
      announced = result;
      // It rejects only at the end.
      await delay(wait * 1000, end).catch(() => undefined);
      if (hiddenSince !== null && Date.now() - hiddenSince > HIDDEN_MAX && notifications() !== 'granted') {
        set({ now: 'resting' });
        await untilVisible(end);
      }
      if (end.aborted) return;
    }
    set({ now: 'right' });
    notifyUser(domain, 'All its DNS records are correct.');
    await aborted(end);
  } finally {
    document.removeEventListener('visibilitychange', updateHidden);
    for (const stop of unsubscribe) stop();
  }
}

/**
 * `summary`: the result in words. `wait`: seconds until the next check. `failure`: an error that a retry does not help.
 */
type WatchCheckResult = {
  isRight: boolean;
  summary: string;
  wait: number;
  trouble: string | null;
  failure: string | null;
};

async function check(client: QueryClient, domain: string): Promise<WatchCheckResult> {
  const result: WatchCheckResult = {
    isRight: false,
    summary: '',
    wait: RETRY_INTERVAL_MIN,
    trouble: null,
    failure: null,
  };
  try {
    const check = await client.query({ ...liveCheckQuery(domain), staleTime: 0 });
    const { completion } = check;
    if (completion === null) return result;
    return {
      ...result,
      isRight: isRight(completion.domain.dns, check),
      summary: describeCheck(completion.domain, check),
      wait: Math.min(INTERVAL_MAX, Math.max(INTERVAL_MIN, completion.again_in)),
    };
  } catch (error) {
    // The check was cancelled before its first line.
    if (error instanceof CancelledError) return result;
    if (!(error instanceof ApiError)) throw error;
    if (!error.isTransient) return { ...result, failure: error.message };
    return { ...result, wait: Math.max(RETRY_INTERVAL_MIN, error.retryAfter ?? 0), trouble: error.message };
  }
}

/** Shows a toast in the tab and, when the tab does not have the focus, a notification of the browser. */
function notifyUser(domain: WatchedDomain, sentence: string): void {
  showToast(createElement(WatchToast, { domain: domain.name, sentence }));
  pinToast();
  if (notifications() !== 'granted' || document.hasFocus()) return;
  try {
    void new Notification(domain.name, { body: sentence, tag: domain.uuid });
  } catch {
    // Chrome on Android allows notifications only to service workers. The toast is shown all the same.
  }
}

/** Whether the browser may show notifications of this page. */
export function notifications(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied';
}

async function untilVisible(end: AbortSignal): Promise<void> {
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
