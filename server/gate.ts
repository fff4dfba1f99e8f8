import type { Result } from '#contract/endpoint.ts';
import type { Credentials, getSession } from '#contract/session.ts';

/** Whose request it is, as far as the log and the limits want to know. */
export type Access = { token: { uuid: string } };

/** What every request needs of a gate. */
export type Entrance = Pick<Gate, 'accessOf' | 'findSession'>;

/**
 * How requests get in: with an access token, or with a session of the console that stands for one. Whatever does not get
 * in is a `Refusal`.
 */
export type Gate<Session extends Access = Access> = {
  accessOf: (token: string) => Promise<Access>;
  /** `requestId` is what the log calls the request. */
  signIn: (credentials: Credentials, requestId: string) => Promise<{ secret: string; session: Session }>;
  /** The session that this secret opens; null when there is none, or no longer. */
  findSession: (secret: string) => Promise<Session | null>;
  endSession: (secret: string) => Promise<void>;
  /** What the console may know. */
  describe: (session: Session) => Result<typeof getSession>;
};
