import type { IncomingHttpHeaders } from 'node:http';
import { CONSOLE_HEADER, type Credentials, type signIn, WORKSPACE_HEADER } from '#contract/session.ts';
import { ProblemError } from '../problems.ts';
import type { EndpointResult } from '#contract/openapi/endpoint.ts';

/** Who a request is from, as far as the log and the limits need it. A gateway does not know the workspace. */
export type Principal = ({ token: { uuid: string } } | { person: { uuid: string } }) & {
  workspace?: { uuid: string };
};

/** By which the requests of a principal are counted. */
export const idOf = (principal: Principal): string =>
  'token' in principal ? principal.token.uuid : principal.person.uuid;

/** What authenticates requests, without signing in and out. */
export type RequestAuthenticator = Pick<Authenticator, 'authenticate' | 'findSession'>;

type SignInAttempt = {
  credentials: Credentials;
  /** Secret of the browser's current session, which ends. */
  previousSecret: string | undefined;
  /** The id of the request in the log. */
  requestId: string;
  clientAddress: string;
  /** Called before the session is opened. Throws a `ProblemError` to prevent it. */
  authorize: (principal: Principal) => Promise<void>;
};

/** Authenticates by access token, or by session of the console. Throws a `ProblemError` where that fails. */
export type Authenticator<Session extends Principal = Principal> = {
  authenticate: (token: string) => Promise<Principal>;
  signIn: (attempt: SignInAttempt) => Promise<{ secret: string; session: Session }>;
  /**
   * The session with this secret; null when there is none, or it has ended. That of a person is for the workspace with the UUID `workspace`, else
   * for the first of theirs.
   */
  findSession: (secret: string, workspace: string | null) => Promise<Session | null>;
  /** As `findSession`, for who does not wait: throws a `ProblemError` where the provider of the account is to be asked first. */
  findSessionAtHand: (secret: string, workspace: string | null) => Promise<Session | null>;
  /** Ends the session in this process at once. Resolves when that is stored. */
  endSession: (secret: string, requestId: string) => Promise<void>;
  /** The response about the session to the console. */
  toSessionResult: (session: Session) => EndpointResult<typeof signIn>;
};

/** What a request has to authenticate itself. */
export type RequestCredentials = {
  authorization: string | undefined;
  sessionSecret: string | undefined;
  /** The UUID of the workspace that the console wants; null where it does not say. */
  workspace: string | null;
  /** Whether the request comes from our own console: see `isFromConsole`. */
  fromConsole: boolean;
};

/** Authenticates a request by its bearer token or its session. Every request passes here. Throws a `ProblemError`. */
export async function authenticateRequest(
  credentials: RequestCredentials,
  authenticator: RequestAuthenticator,
): Promise<Principal> {
  if (credentials.authorization !== undefined) {
    const token = parseBearerToken(credentials.authorization);
    if (token === null) throw unknownTokenProblem();
    return authenticator.authenticate(token);
  }
  if (credentials.sessionSecret === undefined) {
    throw unauthorizedProblem('Send an access token in the header Authorization, as "Bearer <token>".');
  }
  return requireSession(credentials, authenticator);
}

/** The session of the cookie. Throws a `ProblemError`. */
export async function requireSession<Session extends Principal>(
  { sessionSecret, workspace, fromConsole }: RequestCredentials,
  authenticator: Pick<Authenticator<Session>, 'findSession'>,
): Promise<Session> {
  if (sessionSecret !== undefined && !fromConsole) throw notFromConsoleProblem();
  const session = sessionSecret && (await authenticator.findSession(sessionSecret, workspace));
  if (!session) throw unauthorizedProblem('No session, or it has ended. Sign in again.');
  return session;
}

/** The token in a header Authorization; null where it has none. */
export function parseBearerToken(authorization: string): string | null {
  return /^Bearer +([\x21-\x7e]{1,4096}) *$/i.exec(authorization)?.[1] ?? null;
}

/** A 401, with the challenge that it must have (RFC 9110, 11.6.1; RFC 6750, 3). */
export function unauthorizedProblem(detail: string, challenge = 'Bearer'): ProblemError {
  return new ProblemError(401, detail, { headers: { 'www-authenticate': challenge } });
}

export const unknownTokenProblem = () =>
  unauthorizedProblem('This access token is malformed, unknown or revoked.', 'Bearer error="invalid_token"');

export const notFromConsoleProblem = () =>
  new ProblemError(
    403,
    `Sign-ins and session cookies are accepted from the console only, with the header ${CONSOLE_HEADER}.`,
  );

/** The workspace that the console wants, in lower case; null where it does not say. */
export function wantedWorkspace(headers: IncomingHttpHeaders): string | null {
  const wanted = headers[WORKSPACE_HEADER];
  return typeof wanted === 'string' ? wanted.trim().toLowerCase() : null;
}

/**
 * Whether a request was sent by our own pages, to prevent request forgery with the session cookie. From other origins the header
 * requires a preflight, which we never allow. Where the browser sends headers about the origin, they have to agree.
 */
export function isFromConsole(headers: IncomingHttpHeaders, publicUrl: URL | null): boolean {
  if (headers[CONSOLE_HEADER] !== '1') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  return origin !== null && (origin.host === headers.host || origin.origin === publicUrl?.origin);
}
