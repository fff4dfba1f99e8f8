import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getSession, signIn, signOut, type Credentials, type Session } from '#contract/session.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';

/** The same call; what its failure means is another thing. */
const signInByLink = { ...signIn, id: 'signInByLink' } as const;

/** How one is signed in. */
export type Sessions = {
  /** The session, or null when nobody is signed in. */
  read: (signal: AbortSignal) => Promise<Session | null>;
  open: (credentials: Credentials) => Promise<Session>;
  close: () => Promise<void>;
  /** Where the token stays, as the sign-in page says it. */
  keeping: string;
};

/** With the service that served this page: it keeps the token, and gives a cookie for it. */
let sessions: Sessions = {
  read: async (signal) => {
    try {
      return (await request(getSession, {}, signal)).data;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  open: async (credentials) =>
    (await request('code' in credentials ? signInByLink : signIn, { body: credentials })).data,
  close: async () => {
    await request(signOut, {});
  },
  keeping: 'It is sent once and kept by the service, not by this browser.',
};

/** Before anything is shown: another way to be signed in. */
export function keepSessionsBy(others: Sessions): void {
  sessions = others;
}

export const tokenKeeping = () => sessions.keeping;

/** The session, or null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => sessions.read(signal),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Exchanges a token or a one-time code for a session. */
export async function openSession(client: QueryClient, credentials: Credentials): Promise<Session> {
  const session = await sessions.open(credentials);
  await beginSession(client, session);
  return session;
}

/** `deleteKept` takes away what the browser keeps of contacts: once nobody may read them, before the pages are gone. */
export async function closeSession(client: QueryClient, deleteKept: () => Promise<void>): Promise<void> {
  await sessions.close();
  await deleteKept();
  await beginSession(client, null);
}

/** What one session has read, and the token it was opened with, is gone before the next begins. */
async function beginSession(client: QueryClient, session: Session | null): Promise<void> {
  // Who was signed in may still be on its way, and would be taken for the newer word.
  await client.cancelQueries({ queryKey: sessionQuery.queryKey });
  client.setQueryData(sessionQuery.queryKey, session);
  // Not `client.clear()`: the shell would go on watching a session that is no longer in the cache.
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  client.getMutationCache().clear();
}

/** A workspace ID the service accepted: a bare service does not tell it, and it need not be asked for again. */
export function knowWorkspace(client: QueryClient, uuid: string): void {
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, workspace_uuid: uuid });
}

/** The service no longer knows us (401): the shell shows the sign-in page and comes back here afterwards. */
export function endSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
}
