import * as z from 'zod/mini';
import type { Endpoint } from '#contract/openapi/endpoint.ts';
import { checkedText } from '#contract/values/field.ts';

// How the console signs in (docs/decisions/0003-sessions.md). Not part of the interface, and not for API clients, which
// send their token. These requests, and all others that use the cookie, have the header below, which a page of another site
// cannot send.

/** Name of the header that a request must carry, with the value `1`, for its cookie to count. */
export const CONSOLE_HEADER = 'sendroom-console';

/**
 * The header by which the console says which of the workspaces of a session a request is for: a UUID. A session of a person has
 * several; without the header it is the first of them by name. A token has one. An operation of another workspace is 403; the session is then told
 * for the first one, and the console compares.
 */
export const WORKSPACE_HEADER = 'sendroom-workspace';

/**
 * Id of the element of the page in which our service puts the answer of `getSession`, as JSON, where it knows it without asking anybody. The
 * console then does not ask.
 */
export const SESSION_ELEMENT = 'session';

/** The workspace that a path of the console names, in lower case, as in `/w/<uuid>/contacts`; null where it names none. */
export function readWorkspaceOfPath(path: string): string | null {
  return /^\/w\/([\w-]+)(?:\/|$)/.exec(path)?.[1]?.toLowerCase() ?? null;
}

/** Where a browser goes to sign in with the organisation's account; `?return=` is the path of the console to come back to. */
export const ACCOUNT_SIGN_IN_PATH = '/session/account';

/**
 * Why a sign-in with an account led back to the sign-in page, whose fragment says it (`#refused=not_invited`). `expired`: it took too long, was
 * begun in another browser, or its address was opened again. `clock`: the clocks of service and provider differ.
 */
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

/** A workspace that a session may be used in. */
const SessionWorkspace = z.strictObject({ uuid: z.string(), name: z.string(), role: z.string() });

/** Whose session it is, where it was opened with the organisation's account. */
const Person = z.strictObject({ uuid: z.string(), name: z.nullable(z.string()), email: z.string() });

/**
 * The session. With a service without our additions, only `workspace_uuid` may be known, as the user has entered it.
 */
export const Session = z.strictObject({
  workspace_uuid: z.nullable(z.string()),
  name: z.nullable(z.string()),
  identity_field: z.nullable(z.string()),
  /** What the user may do (roles.ts); null where the service does not tell, or not in a way that can be read. */
  role: z.catch(z.nullable(z.string()), null),
  /** Ids of the additions this service offers. */
  capabilities: z.array(z.string()),
  person: z.catch(z.nullable(Person), null),
  /** The workspaces of the person by name; empty for a token. */
  workspaces: z.catch(z.array(SessionWorkspace), []),
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

/** How one can sign in. */
const SignInWays = z.strictObject({
  /** Whether with an access token. */
  token: z.boolean(),
  /** With which account, as its provider is called; null where there is none. */
  account: z.nullable(z.string()),
  /** Where one signs out of the account as well; null where its provider has no such page. */
  account_sign_out: z.nullable(z.string()),
});
export type SignInWays = z.infer<typeof SignInWays>;

/** The data is null where the browser sends no session: a page that nobody has signed in to is no failed request. */
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

/** The same as nobody: how one can sign in once the session of the browser has ended. */
export const getSignInWays = { ...getSession, id: 'getSignInWays', isAnonymous: true } as const satisfies Endpoint;

/** The status is 204, also without a session. */
export const signOut = {
  id: 'signOut',
  method: 'DELETE',
  path: '/session',
  result: z.undefined(),
  reading: z.unknown(),
} as const satisfies Endpoint;
