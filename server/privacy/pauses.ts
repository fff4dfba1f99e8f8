import { setImmediate } from 'node:timers/promises';

/** Milliseconds that long work keeps others waiting. A request comes back to the event loop several times, and waits each time. */
const SLICE_MS = 3;

/** Lets others come between; is called often. */
export type Pause = () => Promise<void>;

/** When the last search that waits goes on. */
let lastTurn: Promise<unknown> = Promise.resolve();

/** In each turn of the event loop one search of the process goes on, however many there are. */
export const nextTurn = () => (lastTurn = lastTurn.then(() => setImmediate()));

/** For a search. */
export function createPause(): Pause {
  return createPauseUntil(nextTurn);
}

/** For a transaction that others wait for. */
export function createPauseOfTransaction(): Pause {
  return createPauseUntil(setImmediate);
}

function createPauseUntil(nextTurn: () => Promise<unknown>): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await nextTurn();
    since = performance.now();
  };
}
