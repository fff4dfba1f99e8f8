import * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';
import { checkedText } from './field.ts';

// How the console signs in (docs/decisions/0003-sessions.md). Not part of the interface, and not for API clients, which
// send their token. These requests, and all others that use the cookie, have the header below, which a page of another site
// cannot send.

/** Name of the header that a request must carry, with the value `1`, for its cookie to count. */
export const CONSOLE_HEADER = 'sendroom-console';

/**
 * The session. With a service without our additions, only `workspace_uuid` may be known, as the user has entered it.
 */
export const Session = z.strictObject({
  workspace_uuid: z.nullable(z.string()),
  name: z.nullable(z.string()),
  identity_field: z.nullable(z.string()),
  /** Ids of the additions this service offers. */
  capabilities: z.array(z.string()),
});
export type Session = z.infer<typeof Session>;

/** Characters of the ID of a workspace. */
const WORKSPACE_MAX = 255;

/** An access token, with the ID of its workspace if the user knows it, or the one-time code of a sign-in link. */
export const Credentials = z.union([
  z.strictObject({ token: z.string(), workspace: z.optional(checkedText(z.maxLength(WORKSPACE_MAX))) }),
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

/** The data is null where the browser sends no session: a page that nobody has signed in to is no failed request. */
export const getSession = {
  id: 'getSession',
  method: 'GET',
  path: '/session',
  result: z.strictObject({ data: z.nullable(Session) }),
  reading: z.object({ data: z.nullable(z.object(Session.shape)) }),
} as const satisfies Endpoint;

/** The status is 204, also without a session. */
export const signOut = {
  id: 'signOut',
  method: 'DELETE',
  path: '/session',
  result: z.undefined(),
  reading: z.unknown(),
} as const satisfies Endpoint;
