import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/ApiError.ts';
import { retry, retryDelay } from '../api/retry.ts';
import { endSession, recheckSession } from './session.ts';

/** To be called with the error of a request that goes past this client: a 401 ends the session, and a 403 reads it again. */
export function followError(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.status === 401) endSession(queryClient);
  if (error.status === 403) recheckSession(queryClient);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: followError }),
  mutationCache: new MutationCache({
    // A sign-in that is refused leaves the session that there is.
    onError: (error, _variables, _result, { meta }) => meta?.isSignIn || followError(error),
  }),
  defaultOptions: {
    // A list is read again when it is opened or refreshed, not on focus; each page says when it was read. `always`: an
    // offline page shows an error instead of waiting.
    queries: { staleTime: 10_000, retry, retryDelay, networkMode: 'always', refetchOnWindowFocus: false },
    mutations: { networkMode: 'always' },
  },
});
