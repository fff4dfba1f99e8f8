import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api/ApiError.ts';
import { endSession } from './session/session.ts';

const TRIES = 3;
/** Beyond this many seconds a wait is the person's decision, not ours. */
const LONGEST_WAIT = 20;

/** Reads, and the idempotent unsubscribe, are tried again when the failure may pass. */
export function retry(failures: number, error: unknown): boolean {
  return (
    error instanceof ApiError && error.isTransient && failures < TRIES - 1 && (error.retryAfter ?? 0) <= LONGEST_WAIT
  );
}

/** Milliseconds to wait: what the service asks for, and up to 0.5 s more, doubling, so that callers do not come back all at once. */
export function retryDelay(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
  return asked * 1000 + 500 * 2 ** failures * Math.random();
}

function onError(error: unknown) {
  if (error instanceof ApiError && error.status === 401) endSession(queryClient);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // Support staff look at one thing for minutes: a list is asked for again when it is opened or refreshed, and each
    // page says when it was read. `always`: an offline page fails with a sentence instead of waiting without one.
    queries: { staleTime: 10_000, retry, retryDelay, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
});
