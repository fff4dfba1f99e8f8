import type { IncomingHttpHeaders } from 'node:http';
import { CONSOLE_HEADER, type Credentials, type signIn, WORKSPACE_HEADER } from '#contract/session.ts';
import { ProblemError } from '../problems.ts';
import type { EndpointResult } from '#contract/openapi/endpoint.ts';

/** The caller, for log and limits. A gateway doesn't know the workspace. */
export type Principal = ({ token: { uuid: string } } | { person: { uuid: string } }) & {
  workspace?: { uuid: string };
};

export const idOf = (principal: Principal): string =>
  'token' in principal ? principal.token.uuid : principal.person.uuid;

export type RequestAuthenticator = Pick<Authenticator, 'authenticate' | 'findSession'>;

type SignInAttempt = {
  credentials: Credentials;
  /** Secret of the browser's current session, which ends. */
  previousSecret: string | undefined;
  requestId: string;
  clientAddress: string;
  /** Called before the session is opened. Throws a `ProblemError` to prevent it. */
  authorize: (principal: Principal) => Promise<void>;
};

export type Authenticator<Session extends Principal = Principal> = {
  authenticate: (token: string) => Promise<Principal>;
  signIn: (attempt: SignInAttempt) => Promise<{ secret: string; session: Session }>;
  /** Of a person: in `workspace`, else in the first of theirs. Null when it has ended. */
  findSession: (secret: string, workspace: string | null) => Promise<Session | null>;
  /** As `findSession`, without waiting: throws a `ProblemError` if the account's provider would have to be asked first. */
  findSessionAtHand: (secret: string, workspace: string | null) => Promise<Session | null>;
  /** Ends the session in this process immediately. Resolves when that's stored. */
  endSession: (secret: string, requestId: string) => Promise<void>;
  toSessionResult: (session: Session) => EndpointResult<typeof signIn>;
};

export type RequestCredentials = {
  authorization: string | undefined;
  sessionSecret: string | undefined;
  workspace: string | null;
  fromConsole: boolean;
};

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

export async function requireSession<Session extends Principal>(
  { sessionSecret, workspace, fromConsole }: RequestCredentials,
  authenticator: Pick<Authenticator<Session>, 'findSession'>,
): Promise<Session> {
  if (sessionSecret !== undefined && !fromConsole) throw notFromConsoleProblem();
  const session = sessionSecret && (await authenticator.findSession(sessionSecret, workspace));
  if (!session) throw unauthorizedProblem('No session, or it has ended. Sign in again.');
  return session;
}

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

export function wantedWorkspace(headers: IncomingHttpHeaders): string | null {
  const wanted = headers[WORKSPACE_HEADER];
  return typeof wanted === 'string' ? wanted.trim().toLowerCase() : null;
}

/** From other origins the header takes a preflight, which we never allow; headers about the origin have to agree. */
export function isFromConsole(headers: IncomingHttpHeaders, publicUrl: URL | null): boolean {
  if (headers[CONSOLE_HEADER] !== '1') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  return origin !== null && (origin.host === headers.host || origin.origin === publicUrl?.origin);
}
