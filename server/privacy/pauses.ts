import { setImmediate } from 'node:timers/promises';

/** Milliseconds that long work keeps others waiting. A request comes back to the event loop several times, and waits each time. */
const SLICE_MS = 3;

/** Lets others come between; is called often. */
export type Pause = () => Promise<void>;

export function createPause(): Pause {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate();
    since = performance.now();
  };
}
