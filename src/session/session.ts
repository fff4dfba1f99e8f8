import { queryOptions, type QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import {
  getSession,
  getSignInWays,
  SESSION_ELEMENT,
  signIn,
  signOut,
  type Credentials,
  type Session,
  type SignInWays,
} from '#contract/session.ts';
import { ApiError } from '../api/ApiError.ts';
import { request, baseUrl } from '../api/client.ts';
import { dropFirstRead } from '../api/firstRead.ts';
import { createStore } from '../ui/page/store.ts';
import { hasUnsaved } from './unsavedDrafts.ts';

/** How you can sign in, from the last response for the session; null if the page is not from a service. */
export const signInWays = createStore<SignInWays | null>(null);

/** The session is stored by the service of this page, or in the page's memory (remoteService.ts). */
type SessionProvider = {
  read: () => Promise<Session | null>;
  open: (credentials: Credentials) => Promise<Session>;
  close: () => Promise<void>;
  forget: () => void;
  isShared: boolean;
  tokenStorageNote: string;
};

export const sessionProvider = createStore<SessionProvider>({
  read: async () => {
    try {
      const { data, sign_in } = await request(getSession, {});
      signInWays.write(sign_in);
      return data;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 401)) throw error;
      if (signInWays.read() === null) signInWays.write((await request(getSignInWays, {})).sign_in);
      return null;
    }
  },
  // The service stores the token, and sets a cookie.
  open: async (body) => (await request('code' in body ? signInByLink : signIn, { body })).data,
  close: async () => {
    await request(signOut, {});
  },
  forget: () => {},
  isShared: true,
  tokenStorageNote: 'We store it on the server, never in this browser.',
});

/** The same request under another id, for its own error messages (api/ApiError.ts). */
const signInByLink = { ...signIn, id: 'signInByLink' } as const;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Without the query's signal, which aborts when one page leaves before the next observes.
  queryFn: () => sessionProvider.read().read(),
  staleTime: Infinity,
  gcTime: Infinity,
});

export async function openSession(client: QueryClient, credentials: Credentials): Promise<Session> {
  const session = await sessionProvider.read().open(credentials);
  await beginNewSession(client, session);
  return session;
}

export async function beginNewSession(client: QueryClient, session: Session): Promise<void> {
  sessionEnd.write({ how: null, hasLostDraft: false });
  await beginSession(client, session);
  if (sessionProvider.read().isShared) notifyTabs('signed in');
}

/** Signs out. `deleteStoredData` runs after the service ended the session, before pages unmount. Throws if the session didn't end. */
export async function closeSession(client: QueryClient, deleteStoredData: () => Promise<void>): Promise<void> {
  // Before requests in flight are refused.
  setEnd('sign-out');
  try {
    await sessionProvider.read().close();
  } catch (error) {
    // The service may have signed out, and only the response was lost.
    if (!(await isOver())) {
      setEnd(null);
      throw error;
    }
  }
  notifyTabs('signed out');
  await deleteStoredData();
  await leave(client);
  // The user was asked.
  sessionEnd.write({ ...sessionEnd.read(), hasLostDraft: false });
}

/** Starts with the session in the page, and follows its changes: in other tabs immediately, all others when this tab is shown or focused. */
export function watchSession(client: QueryClient): void {
  const inPage = takeSessionInPage();
  if (inPage !== null) {
    signInWays.write(inPage.sign_in);
    client.setQueryData(sessionQuery.queryKey, inPage.data);
  }
  listenToTabs((news) => {
    if (news === 'page of a person') return void refreshSession(client);
    setEnd(news === 'signed out' ? 'sign-out' : null);
    void (news === 'signed out' ? leave(client) : reloadSession(client));
  });
  // They may have just signed in with their account, which other tabs don't know.
  if (inPage?.data?.person) notifyTabs('page of a person');
  const onShow = () => {
    if (document.visibilityState === 'visible') void refreshSession(client);
  };
  document.addEventListener('visibilitychange', onShow);
  window.addEventListener('focus', onShow);
}

/** The session that the service put into the page, if any. It is removed, so that nothing is left after a sign-out. */
function takeSessionInPage(): EndpointReading<typeof getSession> | null {
  const element = document.getElementById(SESSION_ELEMENT);
  element?.remove();
  return element && z.parse(getSession.reading, JSON.parse(element.textContent));
}

/** Reloads the session; ignores the response if someone signed in or out here meanwhile. */
async function refreshSession(client: QueryClient): Promise<void> {
  const before = client.getQueryData(sessionQuery.queryKey);
  if (before === undefined) return;
  const current = await readAgain();
  if (current === undefined || client.getQueryData(sessionQuery.queryKey) !== before) return;
  if (current === null) {
    if (before !== null) await leave(client);
  } else if (before === null || isOther(current, before)) await reloadSession(client);
  // The role may have changed.
  else if (current.person !== null) client.setQueryData(sessionQuery.queryKey, current);
}

/** For a 403: an admin may have changed the person's role, or removed them. */
export function recheckSession(client: QueryClient): void {
  if (client.getQueryData(sessionQuery.queryKey)?.person) void refreshSession(client);
}

/** After a sign-in in another tab: drops all data, which may be another user's, and loads the session. */
async function reloadSession(client: QueryClient): Promise<void> {
  await leave(client);
  // The sign-in page shows errors.
  const session = await client.query({ ...sessionQuery, staleTime: 0 }).catch(() => null);
  if (session !== null) sessionEnd.write({ ...sessionEnd.read(), hasLostDraft: false });
}

/** Null when signed out, undefined if the request failed. */
async function readAgain(): Promise<Session | null | undefined> {
  try {
    return await sessionProvider.read().read();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const isOver = async () => (await readAgain()) === null;

/** Whether two sessions differ in person or workspace. A service without additions has no workspace ID: null equals any. */
export function isOther(one: Session, other: Session): boolean {
  const ids = [one.workspace_uuid, other.workspace_uuid];
  const isElsewhere = !ids.includes(null) && ids[0] !== ids[1];
  return isElsewhere || one.name !== other.name || one.person?.uuid !== other.person?.uuid;
}

async function leave(client: QueryClient): Promise<void> {
  if (hasUnsaved(client)) sessionEnd.write({ ...sessionEnd.read(), hasLostDraft: true });
  sessionProvider.read().forget();
  await beginSession(client, null);
}

const ending = createStore(new AbortController());

/** Aborts when the current session ends or is replaced. */
export const sessionSignal = (): AbortSignal => ending.read().signal;

async function beginSession(client: QueryClient, session: Session | null): Promise<void> {
  ending.read().abort();
  ending.write(new AbortController());
  dropFirstRead();
  // A response in flight would overwrite the new session.
  await client.cancelQueries();
  client.setQueryData(sessionQuery.queryKey, session);
  // Not `client.clear()`: the shell would keep observing a query that is no longer in the cache.
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
  client.getMutationCache().clear();
}

/** Stores a workspace ID that the service accepted, if it doesn't return one. */
export function rememberWorkspace(client: QueryClient, uuid: string): void {
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, workspace_uuid: uuid });
}

/** How this tab's last session ended, and whether it discarded a draft without asking. */
type SessionEnd = { how: 'service' | 'sign-out' | null; hasLostDraft: boolean };
export const sessionEnd = createStore<SessionEnd>({ how: null, hasLostDraft: false });

const setEnd = (how: SessionEnd['how']) => sessionEnd.write({ ...sessionEnd.read(), how });

/** Whether a sign-out ended the last session: the next user doesn't return to its page. */
export const wasSignedOut = () => sessionEnd.read().how === 'sign-out';

/** For a 401. The shell then shows the sign-in page, which leads back to this page. */
export function endSession(client: QueryClient): void {
  if (client.getQueryData(sessionQuery.queryKey) && sessionEnd.read().how === null) setEnd('service');
  void leave(client);
}

type SessionEvent = 'signed in' | 'signed out' | 'page of a person';

const channel = createStore<BroadcastChannel | null>(null);

/** Calls `onNews` with messages from other tabs of the same service, if the browser has BroadcastChannel. */
function listenToTabs(onNews: (news: SessionEvent) => void): void {
  if (typeof BroadcastChannel === 'undefined') return;
  const opened = new BroadcastChannel(`sendroom ${baseUrl()}`);
  opened.onmessage = ({ data }: MessageEvent<SessionEvent>) => onNews(data);
  channel.write(opened);
}

function notifyTabs(news: SessionEvent): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.read()?.postMessage(news);
}
