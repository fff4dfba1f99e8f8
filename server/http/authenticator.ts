import type { EndpointResult } from '#contract/endpoint.ts';
import type { Credentials, getSession } from '#contract/session.ts';

/** Who a request is from, as far as the log and the limits need it. */
export type Principal = { token: { uuid: string } };

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
  /** The session with this secret; null when there is none, or it has ended. */
  findSession: (secret: string) => Promise<Session | null>;
  /** Ends the session in this process at once. Resolves when that is stored. */
  endSession: (secret: string) => Promise<void>;
  /** The response about the session to the console. */
  toSessionResult: (session: Session) => EndpointResult<typeof getSession>;
};
