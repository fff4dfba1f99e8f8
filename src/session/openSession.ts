import type { QueryClient } from '@tanstack/react-query';
import { type Credentials, type Session, signIn } from '#contract/session.ts';
import { request } from '../api/client.ts';
import { beginNewSession, sessionProvider } from './session.ts';

/** The same request under another id: its errors have messages of their own (api/ApiError.ts). */
const signInByLink = { ...signIn, id: 'signInByLink' } as const;

/** Exchanges a token or a one-time code for a session. */
export async function openSession(client: QueryClient, credentials: Credentials): Promise<Session> {
  const open = sessionProvider.read().open ?? openByCookie;
  const session = await open(credentials);
  await beginNewSession(client, session);
  return session;
}

/** The service keeps the token, and sets a cookie. */
const openByCookie = async (credentials: Credentials): Promise<Session> =>
  (await request('code' in credentials ? signInByLink : signIn, { body: credentials })).data;
