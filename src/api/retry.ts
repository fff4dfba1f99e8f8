import { ApiError } from './ApiError.ts';
import { delay } from './delay.ts';

const TRIES = 3;
/** Seconds. After a longer `Retry-After` the user decides whether to retry. */
const LONGEST_WAIT = 20;

/** For reads and the idempotent unsubscribe. */
export function retry(failures: number, error: unknown): boolean {
  return (
    error instanceof ApiError && error.isTransient && failures < TRIES - 1 && (error.retryAfter ?? 0) <= LONGEST_WAIT
  );
}

/** Milliseconds: the `Retry-After`, and a growing random part, so that clients don't return all at once. */
export function retryDelay(failures: number, error: unknown): number {
  const retryAfter = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
  return retryAfter * 1000 + 500 * 2 ** failures * Math.random();
}

export async function withRetries<Value>(send: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  for (let failures = 0; ; failures++) {
    try {
      return await send();
    } catch (error) {
      if (signal?.aborted || !retry(failures, error)) throw error;
      await delay(retryDelay(failures, error), signal);
    }
  }
}
