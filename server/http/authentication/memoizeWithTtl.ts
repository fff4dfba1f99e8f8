import { withTimeout } from '../withTimeout.ts';

type CacheLimits = {
  /** Milliseconds for which a result is cached. Errors are not cached. */
  ttlMs: number;
  /** Milliseconds after which a call has failed. At most `ttlMs`, so that there is one call at a time. */
  timeoutMs: number;
};

export function memoizeWithTtl<Value>(
  load: () => Promise<Value>,
  { ttlMs, timeoutMs }: CacheLimits,
): () => Promise<Value> {
  let latest: { at: number; value: Promise<Value> } | null = null;

  async function loadInTime(): Promise<Value> {
    try {
      return await withTimeout(
        load(),
        timeoutMs,
        () => new Error(`There was no answer within ${timeoutMs} milliseconds.`),
      );
    } catch (error) {
      latest = null;
      throw error;
    }
  }

  return () => {
    const at = performance.now();
    if (latest === null || at - latest.at >= ttlMs) latest = { at, value: loadInTime() };
    return latest.value;
  };
}
