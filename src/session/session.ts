import { queryOptions, type QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import type { Endpoint } from '#contract/endpoint.ts';
import { request } from '../api/client.ts';
import { ApiError } from '../api/ApiError.ts';

/** Who is signed in, as the service tells it. A bare service may know no workspace: then the fields are null. */
const Session = z.object({
  workspace_uuid: z.nullable(z.string()),
  name: z.nullable(z.string()),
  identity_field: z.nullable(z.string()),
  capabilities: z.array(z.string()),
});
export type Session = z.infer<typeof Session>;

const reading = z.object({ data: Session });
const getSession = { id: 'getSession', method: 'GET', path: '/session', result: reading, reading } as const satisfies Endpoint;
const openSession = {
  id: 'signIn',
  method: 'POST',
  path: '/session',
  body: z.union([
    z.object({ token: z.string(), workspace: z.optional(z.string()) }),
    z.object({ code: z.string() }),
  ]),
  result: reading,
  reading,
} as const satisfies Endpoint;
const closeSession = {
  id: 'signOut',
  method: 'DELETE',
  path: '/session',
  result: z.unknown(),
  reading: z.unknown(),
} as const satisfies Endpoint;

export type Credentials = z.infer<(typeof openSession)['body']>;

/** The session, or null when nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      return (await request(getSession, {}, signal)).data;
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
  gcTime: Infinity,
});

/** Exchanges a token or a one-time code for a session. The token is not kept in the browser. */
export async function signIn(client: QueryClient, credentials: Credentials): Promise<Session> {
  const { data } = await request(openSession, { body: credentials });
  client.clear();
  client.setQueryData(sessionQuery.queryKey, data);
  return data;
}

export async function signOut(client: QueryClient): Promise<void> {
  await request(closeSession, {});
  client.clear();
  client.setQueryData(sessionQuery.queryKey, null);
}

/** The service no longer knows us (401): the shell shows the sign-in page and comes back here afterwards. */
export function endSession(client: QueryClient): void {
  client.setQueryData(sessionQuery.queryKey, null);
}
