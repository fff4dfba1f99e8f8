import type { IncomingHttpHeaders } from 'node:http';
import { CONSOLE_HEADER } from '#contract/session.ts';
import type { Principal, RequestAuthenticator, Authenticator } from './authenticator.ts';
import { ProblemError } from './problems.ts';

/** What a request brings to show who it is from. */
export type RequestCredentials = {
  authorization: string | undefined;
  sessionSecret: string | undefined;
  /** Whether the request comes from our own console: see `isFromConsole`. */
  fromConsole: boolean;
};

/**
 * The one door: every request gets its access here, with a bearer token or with the session that stands for one.
 * Throws a `ProblemError`.
 */
export async function authenticateRequest(
  credentials: RequestCredentials,
  gate: RequestAuthenticator,
): Promise<Principal> {
  if (credentials.authorization !== undefined) {
    const token = parseBearerToken(credentials.authorization);
    if (token === null) throw unknownTokenProblem();
    return gate.authenticate(token);
  }
  if (credentials.sessionSecret === undefined) {
    throw unauthorizedProblem('Send an access token in the header Authorization, as "Bearer <token>".');
  }
  return requireSession(credentials, gate);
}

/** The session that the cookie stands for. Throws a `ProblemError`. */
export async function requireSession<Session extends Principal>(
  { sessionSecret, fromConsole }: RequestCredentials,
  gate: Pick<Authenticator<Session>, 'findSession'>,
): Promise<Session> {
  if (sessionSecret !== undefined && !fromConsole) throw notFromConsoleProblem();
  const session = sessionSecret && (await gate.findSession(sessionSecret));
  if (!session) throw unauthorizedProblem('There is no session, or it has ended. Sign in again.');
  return session;
}

export function parseBearerToken(authorization: string): string | null {
  return /^Bearer +([\x21-\x7e]{1,4096}) *$/i.exec(authorization)?.[1] ?? null;
}

/** A 401. Its challenge is part of the status (RFC 9110, 11.6.1; RFC 6750, 3). */
export function unauthorizedProblem(detail: string, challenge = 'Bearer'): ProblemError {
  return new ProblemError(401, detail, { headers: { 'www-authenticate': challenge } });
}

export const unknownTokenProblem = () =>
  unauthorizedProblem('This access token is malformed, unknown or revoked.', 'Bearer error="invalid_token"');

export const notFromConsoleProblem = () =>
  new ProblemError(
    403,
    `A sign-in or a session cookie counts only from our own console, with the header ${CONSOLE_HEADER}.`,
  );

/**
 * Whether a request that a cookie could ride on was sent by our own pages. The header alone forces a preflight, which
 * we never answer for it, on every other site; what the browser says about the origin has to agree where it says anything.
 */
export function isFromConsole(headers: IncomingHttpHeaders, publicUrl: URL | null): boolean {
  if (headers[CONSOLE_HEADER] !== '1') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return false;
  if (headers.origin === undefined) return true;
  const origin = URL.parse(headers.origin);
  return origin !== null && (origin.host === headers.host || origin.origin === publicUrl?.origin);
}
