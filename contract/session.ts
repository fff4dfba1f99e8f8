import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

// How our own console signs in (docs/decisions/0003-sessions.md). Not part of the interface, and not for API clients:
// they send their token. Every one of these calls, and every other call that relies on the cookie, carries the header
// below, which no page of another site can send.

/** Name of the header that a request must carry, with the value `1`, for its cookie to count. */
export const CONSOLE_HEADER = 'sendroom-console';

/** Who is signed in. A service without our additions knows a workspace only as far as the user stated it. */
export const Session = z.strictObject({
  workspace_uuid: z.nullable(z.string()),
  name: z.nullable(z.string()),
  identity_field: z.nullable(z.string()),
  /** Ids of the additions this service offers. */
  capabilities: z.array(z.string()),
});
export type Session = z.infer<typeof Session>;

/** Characters of what a service may call a workspace. */
const WORKSPACE_MAX = 255;

/** An access token, with the ID of its workspace where the user knows it, or the one-time code of a sign-in link. */
export const Credentials = z.union([
  z.strictObject({ token: z.string(), workspace: z.optional(z.string().check(z.maxLength(WORKSPACE_MAX))) }),
  z.strictObject({ code: z.string() }),
]);
export type Credentials = z.infer<typeof Credentials>;

const result = z.strictObject({ data: Session });
const reading = z.object({ data: z.object(Session.shape) });

export const signIn = {
  id: 'signIn',
  method: 'POST',
  path: '/session',
  body: Credentials,
  result,
  reading,
} as const satisfies Endpoint;

export const getSession = {
  id: 'getSession',
  method: 'GET',
  path: '/session',
  result,
  reading,
} as const satisfies Endpoint;

/** Answers 204, also when nobody was signed in. */
export const signOut = {
  id: 'signOut',
  method: 'DELETE',
  path: '/session',
  result: z.undefined(),
  reading: z.unknown(),
} as const satisfies Endpoint;
