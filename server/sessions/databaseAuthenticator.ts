import { setTimeout as delay } from 'node:timers/promises';
import { additions } from '#contract/additions.ts';
import { unauthorizedProblem, unknownTokenProblem } from '../http/auth.ts';
import type { Database } from '../database/database.ts';
import { cacheWhileUnchanged } from '../database/cacheWhileUnchanged.ts';
import type { Authenticator } from '../http/authenticator.ts';
import { ProblemError } from '../http/problems.ts';
import type { WorkspacePrincipal } from '../database/workspace.ts';
import { findPrincipal } from '../workspaces/store.ts';
import type { SessionWriteBuffer } from './sessionWriteBuffer.ts';
import { endSession, findSession, openSession, redeemSignInCode, type StoredSession } from './store.ts';

/** Milliseconds for which who signs out waits until that is written. */
const SIGN_OUT_TIMEOUT_MS = 2000;

export type DatabaseAuthenticatorDependencies = {
  database: Database;
  sessionWrites: SessionWriteBuffer;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  /** Whether the service offers more than the interface. */
  withAdditions: boolean;
};

/** The gate to our own data. What a revocation changes is read again after every commit, so that it acts on the next request. */
export function databaseAuthenticator({
  database,
  sessionWrites,
  now,
  withAdditions,
}: DatabaseAuthenticatorDependencies): Authenticator<StoredSession> {
  const findCachedPrincipal = cacheWhileUnchanged(database, (token) => findPrincipal(database, token));

  async function authenticate(token: string): Promise<WorkspacePrincipal> {
    const access = await findCachedPrincipal(token);
    if (access === null) throw unknownTokenProblem();
    if (access.workspace.suspended) throw new ProblemError(403, 'The workspace of this token is suspended.');
    return access;
  }

  async function redeem(code: string): Promise<WorkspacePrincipal> {
    const access = await redeemSignInCode(database, code, now());
    if (access === null || access.workspace.suspended) {
      throw unauthorizedProblem(
        'This sign-in link was used before, or its 15 minutes are over. Use a new one, or a token.',
      );
    }
    return access;
  }

  return {
    authenticate,
    signIn: async ({ credentials, previousSecret, authorize }) => {
      const access = 'code' in credentials ? await redeem(credentials.code) : await authenticate(credentials.token);
      const stated = 'workspace' in credentials ? (credentials.workspace?.trim().toLowerCase() ?? '') : '';
      if (stated !== '' && stated !== access.workspace.uuid) {
        throw new ProblemError(403, 'This token has no access to the workspace given.');
      }
      await authorize(access);
      const session = { ...access, statedWorkspace: stated === '' ? null : stated };
      return { session, secret: await openSession(database, session, previousSecret, now()) };
    },
    findSession: (secret) => findSession(database, sessionWrites, secret, now()),
    endSession: async (secret) => {
      const late = delay(SIGN_OUT_TIMEOUT_MS, null, { ref: false }).then(() => {
        throw signOutPendingProblem();
      });
      await Promise.race([endSession(database, sessionWrites, secret), late]);
    },
    // Without our additions it is what a stranger's service could tell: what the user stated.
    toSessionResult: ({ workspace: { uuid, name, identity_field }, statedWorkspace }) => ({
      data: withAdditions
        ? { workspace_uuid: uuid, name, identity_field, capabilities: additions.map(({ id }) => id) }
        : { workspace_uuid: statedWorkspace, name: null, identity_field: null, capabilities: [] },
    }),
  };
}

const signOutPendingProblem = () =>
  new ProblemError(
    503,
    'You are signed out here. It is not stored yet, because the database takes no change now; it will be as soon as it does.',
    { headers: { 'retry-after': '2' } },
  );
