import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api/ApiError.ts';
import { retry, retryDelay } from '../api/retry.ts';
import { endSession, recheckSession } from './session.ts';

/** Call it with errors of requests outside this client: a 401 ends the session, a 403 reloads it. */
export function followError(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.status === 401) endSession(queryClient);
  if (error.status === 403) recheckSession(queryClient);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: followError }),
  mutationCache: new MutationCache({
    // A refused sign-in doesn't end the current session.
    onError: (error, _variables, _result, { meta }) => meta?.isSignIn || followError(error),
  }),
  defaultOptions: {
    // Not on focus: each page shows when it was read. `always`: an offline page shows an error instead of waiting, until the network is back.
    queries: {
      staleTime: 10_000,
      retry,
      retryDelay,
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: ({ state }) => state.error !== null,
    },
    mutations: { networkMode: 'always' },
  },
});
