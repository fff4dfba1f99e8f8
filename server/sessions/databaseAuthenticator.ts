import { additions } from '#contract/allAdditions.ts';
import { unauthorizedProblem, unknownTokenProblem, type Authenticator } from '../http/auth.ts';
import type { Database } from '../database/database.ts';
import { withTimeout } from '../metrics/memoizeWithTtl.ts';
import { ProblemError } from '../http/problems.ts';
import type { WorkspacePrincipal } from '../database/workspace.ts';
import { findPrincipal } from '../workspaces/store.ts';
import type { SessionWriteBuffer } from './sessionWriteBuffer.ts';
import { endSession, findSession, openSession, redeemSignInCode, type StoredSession } from './store.ts';

/** Milliseconds that a sign-out waits until it is stored. */
const SIGN_OUT_TIMEOUT_MS = 2000;

type DatabaseAuthenticatorDependencies = {
  database: Database;
  sessionWrites: SessionWriteBuffer;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  /** Whether the service offers more than the interface. */
  withAdditions: boolean;
};

/**
 * Authenticates against our own database. Tokens are read with every request, so that a revocation acts on the next one.
 */
export function databaseAuthenticator({
  database,
  sessionWrites,
  now,
  withAdditions,
}: DatabaseAuthenticatorDependencies): Authenticator<StoredSession> {
  async function authenticate(token: string): Promise<WorkspacePrincipal> {
    const principal = await findPrincipal(database, token);
    if (principal === null) throw unknownTokenProblem();
    if (principal.workspace.suspended) throw new ProblemError(403, 'The workspace of this token is suspended.');
    return principal;
  }

  async function redeem(code: string): Promise<WorkspacePrincipal> {
    const principal = await redeemSignInCode(database, code, now());
    if (principal === null || principal.workspace.suspended) {
      throw unauthorizedProblem(
        'This sign-in link was used before, or its 15 minutes are over. Use a new one, or a token.',
      );
    }
    return principal;
  }

  return {
    authenticate,
    signIn: async ({ credentials, previousSecret, authorize }) => {
      const principal = 'code' in credentials ? await redeem(credentials.code) : await authenticate(credentials.token);
      const stated = 'workspace' in credentials ? (credentials.workspace?.trim().toLowerCase() ?? '') : '';
      if (stated !== '' && stated !== principal.workspace.uuid) {
        throw new ProblemError(403, 'This token has no access to the workspace given.');
      }
      await authorize(principal);
      const session = { ...principal, statedWorkspace: stated === '' ? null : stated };
      return { session, secret: await openSession(database, session, previousSecret, now()) };
    },
    findSession: (secret) => findSession(database, sessionWrites, secret, now()),
    endSession: async (secret) => {
      await withTimeout(endSession(database, sessionWrites, secret), SIGN_OUT_TIMEOUT_MS, signOutPendingProblem);
    },
    // Without our additions the console learns only what the user entered, as with any other service of the interface.
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
