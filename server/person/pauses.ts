import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a long search keeps others waiting. */
const SLICE_MS = 10;

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
