import { CancelledError, QueryObserver, type QueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/ApiError.ts';
import { delay } from '../../api/delay.ts';
import { sessionQuery } from '../../session/session.ts';
import { announce } from '../../ui/page/announce.ts';
import { setRailMark } from '../../ui/page/railMarks.ts';
import { createStore, useStore } from '../../ui/page/store.ts';
import { localMoment } from '../../ui/format/time.ts';
import { pinToast, showToast } from '../../ui/Toast.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { describeCheck, isDone, liveCheckQuery } from './liveCheck.ts';

/** Seconds between two checks: the minimum, and the minimum after an error. */
const INTERVAL_MIN = 10;
const RETRY_INTERVAL_MIN = 30;
/** Seconds. A timer of more than 24 days would fire at once. */
const INTERVAL_MAX = 86_400;
/** Milliseconds. The watch pauses if the tab was hidden for longer, so that an idle session expires. */
const HIDDEN_MAX = 60 * 60_000;

/** `next`: milliseconds since the epoch. `error`: why the last check failed, null after a success. */
export type WatchState =
  | { now: 'checking' }
  | { now: 'waiting'; next: number; error: string | null }
  | { now: 'paused' }
  | { now: 'done' };

type WatchedDomain = { uuid: string; name: string };
type RunningWatch = { state: WatchState; end: AbortController };

const running = createStore<ReadonlyMap<string, RunningWatch>>(new Map());

function setWatch(domain: string, watch: RunningWatch | null): void {
  const next = new Map(running.read());
  if (watch === null) next.delete(domain);
  else next.set(domain, watch);
  const count = [...next.values()].filter(({ state }) => state.now !== 'done').length;
  setRailMark(paths.domains, count === 0 ? null : { text: `${count} watched`, isRunning: true });
  running.write(next);
}

export function useWatch(domain: string): WatchState | null {
  return useStore(running).get(domain)?.state ?? null;
}

export function startWatch(client: QueryClient, domain: WatchedDomain): void {
  stopWatch(client, domain.uuid);
  const end = new AbortController();
  setWatch(domain.uuid, { state: { now: 'checking' }, end });
  void run(client, domain, end).finally(() => {
    if (running.read().get(domain.uuid)?.end === end) setWatch(domain.uuid, null);
  });
}

export function stopWatch(client: QueryClient, domain: string): void {
  const watch = running.read().get(domain);
  if (watch === undefined) return;
  watch.end.abort();
  if (watch.state.now === 'checking') void client.cancelQueries({ queryKey: liveCheckQuery(domain).queryKey });
  setWatch(domain, null);
}

async function run(client: QueryClient, domain: WatchedDomain, ending: AbortController): Promise<void> {
  const query = liveCheckQuery(domain.uuid);
  const end = ending.signal;
  const set = (state: WatchState) => {
    if (end.aborted) return;
    setWatch(domain.uuid, { state, end: ending });
  };
  let hiddenSince: number | null = null;
  const unsubscribe = [
    // Keeps the check running while no page shows it.
    new QueryObserver(client, query).subscribe(() => undefined),
    new QueryObserver(client, { ...sessionQuery, enabled: false }).subscribe(
      ({ data }) => data === null && ending.abort(),
    ),
  ];
  let announced = '';
  announce(`Watching ${domain.name}: checking`);
  try {
    for (;;) {
      set({ now: 'checking' });
      const { isOver, summary, wait, error } = await check(client, domain.uuid);
      if (end.aborted) return;
      if (isOver) return notifyUser(domain, `Stopped watching. ${summary}`);
      if (wait === 0) break;
      const next = Date.now() + wait * 1000;
      set({ now: 'waiting', next, error });
      if (summary !== announced) {
        announce(`Watching ${domain.name}; next check at ${localMoment(new Date(next))}. ${summary}`);
      }
      announced = summary;
      // It rejects only at the end.
      await delay(wait * 1000, end).catch(() => undefined);
      hiddenSince = document.hidden ? (hiddenSince ?? Date.now()) : null;
      if (hiddenSince !== null && Date.now() - hiddenSince > HIDDEN_MAX && notifications() !== 'granted') {
        set({ now: 'paused' });
        while (document.hidden && !end.aborted) await delay(1000, end).catch(() => undefined);
      }
      if (end.aborted) return;
    }
    set({ now: 'done' });
    notifyUser(domain, 'All DNS records are OK.');
    await aborted(end);
  } finally {
    for (const stop of unsubscribe) stop();
  }
}

/** `wait`: seconds until the next check, 0 when all records are OK. `isOver`: retrying doesn't help. */
type WatchResult = { summary: string; wait: number; error: string | null; isOver?: true };

async function check(client: QueryClient, domain: string): Promise<WatchResult> {
  try {
    const check = await client.query({ ...liveCheckQuery(domain), staleTime: 0 });
    const { completion } = check;
    // It was cancelled.
    if (completion === null) return { summary: '', wait: RETRY_INTERVAL_MIN, error: null };
    const wait = Math.min(INTERVAL_MAX, Math.max(INTERVAL_MIN, completion.again_in));
    return {
      summary: describeCheck(completion.domain, check),
      wait: isDone(completion.domain.dns, check) ? 0 : wait,
      error: null,
    };
  } catch (error) {
    if (error instanceof CancelledError) return { summary: '', wait: RETRY_INTERVAL_MIN, error: null };
    if (!(error instanceof ApiError)) throw error;
    const { message } = error;
    const wait = Math.max(RETRY_INTERVAL_MIN, error.retryAfter ?? 0);
    return { summary: message, wait, error: message, ...(!error.isTransient && { isOver: true }) };
  }
}

function notifyUser(domain: WatchedDomain, sentence: string): void {
  showToast(
    <>
      <Link to={paths.domain(domain.name)}>
        <UntrustedText text={domain.name} />
      </Link>{' '}
      <UntrustedText text={sentence} />
    </>,
  );
  pinToast();
  if (notifications() !== 'granted' || document.hasFocus()) return;
  try {
    void new Notification(domain.name, { body: sentence, tag: domain.uuid });
  } catch {
    // Chrome on Android allows them only to service workers. The toast is enough.
  }
}

export function notifications(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied';
}

function aborted(end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (end.aborted) resolve();
    end.addEventListener('abort', () => resolve(), { once: true });
  });
}
