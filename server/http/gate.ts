import type { Result } from '#contract/endpoint.ts';
import type { Credentials, getSession } from '#contract/session.ts';

/** Whose request it is, as far as the log and the limits want to know. */
export type Access = { token: { uuid: string } };

/** What every request needs of a gate. */
export type Entrance = Pick<Gate, 'accessOf' | 'findSession'>;

/** To sign in. */
export type Attempt = {
  credentials: Credentials;
  /** Secret of the session that the browser has had until now: it ends. */
  earlier: string | undefined;
  /** What the log calls the request. */
  requestId: string;
  /** From where it came. */
  address: string;
  /** Is told whose sign-in it is before there is a session. Throws a `Refusal` when there shall be none. */
  admit: (access: Access) => Promise<void>;
};

/**
 * How requests get in: with an access token, or with a session of the console that stands for one. Whatever does not get
 * in is a `Refusal`.
 */
export type Gate<Session extends Access = Access> = {
  accessOf: (token: string) => Promise<Access>;
  signIn: (attempt: Attempt) => Promise<{ secret: string; session: Session }>;
  /** The session that this secret opens; null when there is none, or no longer. */
  findSession: (secret: string) => Promise<Session | null>;
  /** From now on it opens nothing here; resolves when that is so for good. */
  endSession: (secret: string) => Promise<void>;
  /** What the console may know. */
  describe: (session: Session) => Result<typeof getSession>;
};
