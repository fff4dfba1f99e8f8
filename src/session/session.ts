import { queryOptions, type QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { EndpointReading } from '#contract/openapi/endpoint.ts';
import {
  getSession,
  getSignInWays,
  SESSION_ELEMENT,
  signOut,
  type Credentials,
  type Session,
  type SignInWays,
} from '#contract/session.ts';
import { ApiError } from '../api/ApiError.ts';
import { request, baseUrl } from '../api/client.ts';
import { dropFirstRead } from '../api/firstRead.ts';
import { createStore } from '../ui/page/store.ts';
import { hasDraft } from './unsavedDrafts.ts';

/** How one can sign in, as the service said when the session was read last; null where none has served the page. */
export const signInWays = createStore<SignInWays | null>(null);

/** Where the session is kept: by the service that served the page, or in the memory of the page (remoteService.ts). */
type SessionProvider = {
  /** The session, or null when nobody is signed in. */
  read: () => Promise<Session | null>;
  /** Without it a sign-in sets a cookie (openSession.ts). */
  open?: (credentials: Credentials) => Promise<Session>;
  close: () => Promise<void>;
  /** Called when a session ends or is replaced: drops what the page itself keeps of it. */
  forget: () => void;
  /** Whether a sign-in is for all tabs. */
  isShared: boolean;
  /** A sentence for the sign-in page: where the token is kept. */
  tokenStorageNote: string;
};

/** By default the service that served the page keeps the token and sets a cookie. */
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
  close: async () => {
    await request(signOut, {});
  },
  forget: () => {},
  isShared: true,
  tokenStorageNote: 'We store it on the server, never in this browser.',
});

/** The session, or null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Without the query's signal: the query aborts it when the page that observes leaves, and the next page observes later.
  queryFn: () => sessionProvider.read().read(),
  staleTime: Infinity,
  gcTime: Infinity,
});

/** To be called after a sign-in. */
export async function beginNewSession(client: QueryClient, session: Session): Promise<void> {
  sessionEnd.write({ how: null, hasLostDraft: false });
  await beginSession(client, session);
  if (sessionProvider.read().isShared) notifyTabs('signed in');
}

/**
 * Signs out. `deleteStoredData` deletes what the browser stores of contacts; it runs after the service has ended the
 * session and before the pages unmount. Throws where the session is not ended.
 */
export async function closeSession(client: QueryClient, deleteStoredData: () => Promise<void>): Promise<void> {
  // Before the calls in flight are refused.
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

/** Begins with the session that the service has put into the page, and follows its changes: those in other tabs at once, all others when this tab is shown or focused again. */
export function watchSession(client: QueryClient): void {
  const inPage = takeAnswerInPage();
  if (inPage !== null) {
    signInWays.write(inPage.sign_in);
    client.setQueryData(sessionQuery.queryKey, inPage.data);
  }
  listenToTabs((news) => {
    if (news === 'page of a person') return void refreshSession(client);
    setEnd(news === 'signed out' ? 'sign-out' : null);
    void (news === 'signed out' ? leave(client) : reloadSession(client));
  });
  // They may have just signed in with their account, of which no page of ours knew.
  if (inPage?.data?.person) notifyTabs('page of a person');
  const onShow = () => {
    if (document.visibilityState === 'visible') void refreshSession(client);
  };
  document.addEventListener('visibilitychange', onShow);
  window.addEventListener('focus', onShow);
}

/**
 * What the service has said of the session in the page; null where it says nothing. It is removed there: a sign-out leaves nothing in
 * the page.
 */
function takeAnswerInPage(): EndpointReading<typeof getSession> | null {
  const element = document.getElementById(SESSION_ELEMENT);
  element?.remove();
  return element && z.parse(getSession.reading, JSON.parse(element.textContent));
}

/** Reads the session again; ignores the response if somebody signed in or out here meanwhile. */
async function refreshSession(client: QueryClient): Promise<void> {
  const before = client.getQueryData(sessionQuery.queryKey);
  if (before === undefined) return;
  const current = await readAgain();
  if (current === undefined || client.getQueryData(sessionQuery.queryKey) !== before) return;
  if (current === null) {
    if (before !== null) await leave(client);
  } else if (before === null || isOther(current, before)) await reloadSession(client);
  // Their role may have changed.
  else if (current.person !== null) client.setQueryData(sessionQuery.queryKey, current);
}

/** To be called on a 403: an admin may have changed the role of the person, or removed them. */
export function recheckSession(client: QueryClient): void {
  if (client.getQueryData(sessionQuery.queryKey)?.person) void refreshSession(client);
}

/** After a sign-in in another tab: drops all data, which may be that of another user, and reads the session. */
async function reloadSession(client: QueryClient): Promise<void> {
  await leave(client);
  // Errors are ignored here: the sign-in page shows them.
  const session = await client.query({ ...sessionQuery, staleTime: 0 }).catch(() => null);
  if (session !== null) sessionEnd.write({ ...sessionEnd.read(), hasLostDraft: false });
}

/** The session, null when signed out, undefined where the request failed. */
async function readAgain(): Promise<Session | null | undefined> {
  try {
    return await sessionProvider.read().read();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const isOver = async () => (await readAgain()) === null;

/**
 * Whether two sessions differ in person or workspace. A service without our additions does not tell the ID, so null equals any.
 */
function isOther(one: Session, other: Session): boolean {
  const ids = [one.workspace_uuid, other.workspace_uuid];
  const isElsewhere = !ids.includes(null) && ids[0] !== ids[1];
  return isElsewhere || one.name !== other.name || one.person?.uuid !== other.person?.uuid;
}

/** Ends the session in this page. */
async function leave(client: QueryClient): Promise<void> {
  if (hasDraft(client)) sessionEnd.write({ ...sessionEnd.read(), hasLostDraft: true });
  sessionProvider.read().forget();
  await beginSession(client, null);
}

const ending = createStore(new AbortController());

/** Aborts when the session of now ends, or another takes its place. */
export const sessionSignal = (): AbortSignal => ending.read().signal;

/** Sets the session, null when signed out, and drops all data of the one before, with the token that opened it. */
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

/**
 * Keeps a workspace ID that the service accepted. A bare interface does not tell it, and it need not be typed twice.
 */
export function rememberWorkspace(client: QueryClient, uuid: string): void {
  client.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, workspace_uuid: uuid });
}

/** How the last session of this tab ended, and whether a draft in this tab was discarded with it and nobody was asked here. */
type SessionEnd = { how: 'service' | 'sign-out' | null; hasLostDraft: boolean };
export const sessionEnd = createStore<SessionEnd>({ how: null, hasLostDraft: false });

const setEnd = (how: SessionEnd['how']) => sessionEnd.write({ ...sessionEnd.read(), how });

/** Whether a sign-out ended the last session: where it was isn't for the next user. */
export const wasSignedOut = () => sessionEnd.read().how === 'sign-out';

/** To be called on a 401: ends the session. The shell then shows the sign-in page, which leads back to this page. */
export function endSession(client: QueryClient): void {
  if (client.getQueryData(sessionQuery.queryKey) && sessionEnd.read().how === null) setEnd('service');
  void leave(client);
}

type SessionEvent = 'signed in' | 'signed out' | 'page of a person';

const channel = createStore<BroadcastChannel | null>(null);

/**
 * Calls `onNews` with the messages of other tabs of the same service. Does nothing in a browser without
 * BroadcastChannel.
 */
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
