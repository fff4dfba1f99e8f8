import type { EndpointResult } from '#contract/endpoint.ts';
import type { Credentials, getSession } from '#contract/session.ts';

/** Whose request it is, as far as the log and the limits want to know. */
export type Principal = { token: { uuid: string } };

/** What every request needs of a gate. */
export type RequestAuthenticator = Pick<Authenticator, 'authenticate' | 'findSession'>;

/** To sign in. */
export type SignInAttempt = {
  credentials: Credentials;
  /** Secret of the session that the browser has had until now: it ends. */
  previousSecret: string | undefined;
  /** What the log calls the request. */
  requestId: string;
  /** From where it came. */
  clientAddress: string;
  /** Is told whose sign-in it is before there is a session. Throws a `ProblemError` when there shall be none. */
  authorize: (access: Principal) => Promise<void>;
};

/**
 * How requests get in: with an access token, or with a session of the console that stands for one. Whatever does not get
 * in is a `ProblemError`.
 */
export type Authenticator<Session extends Principal = Principal> = {
  authenticate: (token: string) => Promise<Principal>;
  signIn: (attempt: SignInAttempt) => Promise<{ secret: string; session: Session }>;
  /** The session that this secret opens; null when there is none, or no longer. */
  findSession: (secret: string) => Promise<Session | null>;
  /** From now on it opens nothing here; resolves when that is so for good. */
  endSession: (secret: string) => Promise<void>;
  /** What the console may know. */
  toSessionResult: (session: Session) => EndpointResult<typeof getSession>;
};
