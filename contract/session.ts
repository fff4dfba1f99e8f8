import * as z from 'zod/mini';
import type { Endpoint } from '#contract/openapi/endpoint.ts';
import { checkedText } from '#contract/values/field.ts';

// How the console signs in (docs/decisions/0003-sessions.md). API clients send their token.

/** Every request with a cookie must have this header, which other sites can't send, with the value `1`. */
export const CONSOLE_HEADER = 'sendroom-console';

/**
 * The workspace of a request: a session of a person has several, and uses the first by name without this header. A token has one. For
 * another workspace operations are 403, and the session is described for the first one.
 */
export const WORKSPACE_HEADER = 'sendroom-workspace';

/** Id of the element in which our service puts the response of `getSession`, if it has it without a look-up. */
export const SESSION_ELEMENT = 'session';

/** The workspace in a path of the console, like `/w/<uuid>/contacts`, in lower case. */
export function readWorkspaceOfPath(path: string): string | null {
  return /^\/w\/([\w-]+)(?:\/|$)/.exec(path)?.[1]?.toLowerCase() ?? null;
}

/** Signs in with the organisation's account, and returns to the path in `?return=`. */
export const ACCOUNT_SIGN_IN_PATH = '/session/account';

/** Why a sign-in with an account failed, in the fragment of the sign-in page. `expired`: or another browser, or reopened. `clock`: too different. */
export const REFUSALS = [
  'not_invited',
  'email_not_verified',
  'suspended',
  'provider_unreachable',
  'provider_refused',
  'expired',
  'clock',
  'other',
] as const;
export type Refusal = (typeof REFUSALS)[number];

const SessionWorkspace = z.strictObject({ uuid: z.string(), name: z.string(), role: z.string() });

const Person = z.strictObject({ uuid: z.string(), name: z.nullable(z.string()), email: z.string() });

/** Without additions, only `workspace_uuid` may be known, from the user. */
export const Session = z.strictObject({
  workspace_uuid: z.nullable(z.string()),
  name: z.nullable(z.string()),
  identity_field: z.nullable(z.string()),
  /** Null if the service doesn't return a readable one. */
  role: z.catch(z.nullable(z.string()), null),
  /** Ids of the additions this service offers. */
  capabilities: z.array(z.string()),
  person: z.catch(z.nullable(Person), null),
  /** Sorted by name; empty for a token. */
  workspaces: z.catch(z.array(SessionWorkspace), []),
});
export type Session = z.infer<typeof Session>;

const WORKSPACE_MAX = 255;

/** An access token, with its workspace's ID if the user knows it, or the one-time code of a sign-in link. */
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

const SignInWays = z.strictObject({
  /** With an access token. */
  token: z.boolean(),
  /** The name of the account provider, if any. */
  account: z.nullable(z.string()),
  /** The sign-out page of the account provider, if any. */
  account_sign_out: z.nullable(z.string()),
});
export type SignInWays = z.infer<typeof SignInWays>;

/** The data is null without a session: a page that is signed out is no failed request. */
export const getSession = {
  id: 'getSession',
  method: 'GET',
  path: '/session',
  result: z.strictObject({ data: z.nullable(Session), sign_in: SignInWays }),
  reading: z.object({
    data: z.nullable(z.object(Session.shape)),
    sign_in: z.catch(z.object(SignInWays.shape), { token: true, account: null, account_sign_out: null }),
  }),
} as const satisfies Endpoint;

/** Without the ended session: how you can sign in. */
export const getSignInWays = { ...getSession, id: 'getSignInWays', isAnonymous: true } as const satisfies Endpoint;

export const signOut = {
  id: 'signOut',
  method: 'DELETE',
  path: '/session',
  result: z.undefined(),
  reading: z.unknown(),
} as const satisfies Endpoint;
