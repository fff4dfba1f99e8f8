import { queryOptions, type QueryClient } from '@tanstack/react-query';
import { getSession, signIn, signOut, type Credentials, type Session } from '#contract/session.ts';
import { ApiError } from '../api/ApiError.ts';
import { request } from '../api/client.ts';
import { listenToTabs, notifyTabs } from './sessionChannel.ts';

/** The same call; what its failure means is another thing. */
const signInByLink = { ...signIn, id: 'signInByLink' } as const;

/** How one is signed in. */
export type SessionProvider = {
  /** The session, or null when nobody is signed in. */
  read: (signal: AbortSignal) => Promise<Session | null>;
  open: (credentials: Credentials) => Promise<Session>;
  close: () => Promise<void>;
  /** Nobody is signed in any more, in this tab or another: what the page itself keeps for that goes. */
  forget: () => void;
  /** Whether who signs in is signed in in all tabs. */
  isShared: boolean;
  /** Where the token stays, as the sign-in page says it. */
  tokenStorageNote: string;
};

/** With the service that served this page: it keeps the token, and gives a cookie for it. */
let sessionProvider: SessionProvider = {
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
  forget: () => {},
  isShared: true,
  tokenStorageNote: 'It is sent once and kept by the service, not by this browser.',
};

/** Before anything is shown: another way to be signed in. */
export function setSessionProvider(others: SessionProvider): void {
  sessionProvider = others;
}

export const readTokenStorageNote = () => sessionProvider.tokenStorageNote;

/** The session, or null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => sessionProvider.read(signal),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Exchanges a token or a one-time code for a session. */
export async function openSession(client: QueryClient, credentials: Credentials): Promise<Session> {
  const session = await sessionProvider.open(credentials);
  hasEnded = false;
  await beginSession(client, session);
  if (sessionProvider.isShared) notifyTabs('signed in');
  return session;
}

/** `deleteStoredData` takes away what the browser keeps of contacts: once nobody may read them, before the pages are gone. */
export async function closeSession(client: QueryClient, deleteStoredData: () => Promise<void>): Promise<void> {
  try {
    await sessionProvider.close();
  } catch (error) {
    // It may have been done all the same, and its answer lost.
    if (!(await isOver())) throw error;
  }
  notifyTabs('signed out');
  await deleteStoredData();
  await leave(client);
}

/** Follows what becomes of the session: in other tabs at once, and elsewhere when somebody looks at this one again. */
export function watchSession(client: QueryClient): void {
  listenToTabs((news) => void (news === 'signed out' ? leave(client) : reloadSession(client)));
  const onLook = () => {
    if (document.visibilityState === 'visible') void refreshSession(client);
  };
  document.addEventListener('visibilitychange', onLook);
  window.addEventListener('focus', onLook);
}

/** Asks who is signed in, and believes it unless somebody signed in or out here meanwhile. */
async function refreshSession(client: QueryClient): Promise<void> {
  const known = client.getQueryData(sessionQuery.queryKey);
  if (!known) return;
  const told = await readAgain();
  if (told === undefined || client.getQueryData(sessionQuery.queryKey) !== known) return;
  if (told === null) await leave(client);
  else if (isOther(told, known)) await reloadSession(client);
}

/** Somebody signed in in another tab: what is on the screen may not be theirs. */
async function reloadSession(client: QueryClient): Promise<void> {
  await leave(client);
  // Where it fails, the sign-in page says so.
  await client.query({ ...sessionQuery, staleTime: 0 }).catch(() => null);
}

/** Undefined where nobody can tell. */
async function readAgain(): Promise<Session | null | undefined> {
  try {
    return await sessionProvider.read(new AbortController().signal);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const isOver = async () => (await readAgain()) === null;

/** As far as a service tells: one without our additions does not say which workspace it is. */
function isOther(one: Session, other: Session): boolean {
  const ids = [one.workspace_uuid, other.workspace_uuid];
  return (!ids.includes(null) && ids[0] !== ids[1]) || one.name !== other.name;
}

/** Nobody is signed in: nothing of what was read is left. */
async function leave(client: QueryClient): Promise<void> {
  sessionProvider.forget();
  await beginSession(client, null);
}

/** What one session has read, and the token it was opened with, is gone before the next begins. */
async function beginSession(client: QueryClient, session: Session | null): Promise<void> {
  // What is still on its way would be taken for the newer word.
  await client.cancelQueries();
  client.setQueryData(sessionQuery.queryKey, session);
  // Not `client.clear()`: the shell would go on watching a session that is no longer in the cache.
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  client.getMutationCache().clear();
}

/** A workspace ID the service accepted: a bare service does not tell it, and it need not be asked for again. */
export function rememberWorkspace(client: QueryClient, uuid: string): void {
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, workspace_uuid: uuid });
}

let hasEnded = false;

/** Whether the service has ended the last session: the sign-in page then says why it came. */
export const sessionHasEnded = () => hasEnded;

/** The service no longer knows us (401): the shell shows the sign-in page and comes back here afterwards. */
export function endSession(client: QueryClient): void {
  hasEnded ||= Boolean(client.getQueryData(sessionQuery.queryKey));
  void leave(client);
}
