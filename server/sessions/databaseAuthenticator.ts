import { additions } from '#contract/openapi/allAdditions.ts';
import type { Session } from '#contract/session.ts';
import { includesRole } from '#contract/roles.ts';
import { unauthorizedProblem, unknownTokenProblem, type Authenticator } from '../http/authentication/auth.ts';
import { authorOf } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { withTimeout } from '../http/withTimeout.ts';
import { ProblemError } from '../http/problems.ts';
import { findPrincipal, findRefusedToken, type TokenPrincipal } from '../workspaces/store.ts';
import type { AccessLog, RefusedSignIn } from './accessLog.ts';
import type { AccessWriteBuffer } from './accessWriteBuffer.ts';
import { END_TIMEOUT_MS } from './sessionLimits.ts';
import {
  endSession,
  findRefusedCode,
  findSession,
  openSession,
  type PersonSession,
  type RenewSession,
  redeemSignInCode,
  type StoredSession,
} from './store.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

type DatabaseAuthenticatorDependencies = {
  database: Database;
  accessWrites: AccessWriteBuffer;
  accessLog: AccessLog;
  now: () => number;
  withAdditions: boolean;
  withTokenSignIn: boolean;
  /** Asks the provider of people's accounts; null where there is none. */
  renew: RenewSession | null;
};

function createTokenAuthentication({
  database,
  accessWrites,
  accessLog,
  now,
}: Pick<DatabaseAuthenticatorDependencies, 'database' | 'accessWrites' | 'accessLog' | 'now'>) {
  function recordUse({ workspace, token, used_at }: TokenPrincipal): void {
    const time = now();
    const day = time - (time % DAY_MS);
    if (used_at === null || used_at < day) accessWrites.recordTokenUse(workspace.id, token.uuid, day);
  }

  async function authenticate(token: string): Promise<TokenPrincipal> {
    const principal = await findPrincipal(database, token, now());
    if (principal === null) throw unknownTokenProblem();
    if (principal.workspace.suspended) throw suspendedProblem(principal.workspace);
    recordUse(principal);
    return principal;
  }

  const logRefusal = ({ workspace, token }: TokenPrincipal, requestId: string, reason: RefusedSignIn) =>
    accessLog.addRefusal(workspace, authorOf({ token, requestId }), reason, now());

  /** Like `authenticate`, for a sign-in: a known token that is refused is logged. */
  async function authenticateSignIn(token: string, requestId: string): Promise<TokenPrincipal> {
    try {
      return await authenticate(token);
    } catch (error) {
      const refused = error instanceof ProblemError ? await findRefusedToken(database, token) : null;
      if (refused !== null) {
        const reason = refused.workspace.suspended ? 'workspace suspended' : 'token expired';
        logRefusal(refused, requestId, refused.isRevoked ? 'token revoked' : reason);
      }
      throw error;
    }
  }

  async function redeem(code: string, requestId: string): Promise<TokenPrincipal> {
    const principal = await redeemSignInCode(database, code, now());
    if (principal === null || principal.workspace.suspended) {
      const refused = principal ?? (await findRefusedCode(database, code, now()));
      const reason = principal === null ? 'link used or expired' : 'workspace suspended';
      if (refused !== null) logRefusal(refused, requestId, reason);
      throw unauthorizedProblem('This sign-in link has already been used or has expired. Use a new one, or a token.');
    }
    return principal;
  }

  return { recordUse, authenticate, logRefusal, authenticateSignIn, redeem };
}

/** Tokens are read with every request, so that a revocation acts on the next one. */
export function databaseAuthenticator(dependencies: DatabaseAuthenticatorDependencies): Authenticator<StoredSession> {
  const { database, accessWrites, accessLog, now, withAdditions, withTokenSignIn, renew } = dependencies;
  const { recordUse, authenticate, logRefusal, authenticateSignIn, redeem } = createTokenAuthentication(dependencies);

  function recordMember({ workspace, membership: { uuid, last_seen_at } }: PersonSession): void {
    const time = now();
    const minute = time - (time % MINUTE_MS);
    if (last_seen_at === null || last_seen_at < minute) accessWrites.recordMember(workspace.id, uuid, minute);
  }

  async function findAndRecord(secret: string, wanted: string | null, asking: RenewSession | null) {
    const session = await findSession(database, accessWrites, secret, { now: now(), wanted, renew: asking });
    if (session === null || ('token' in session && !withTokenSignIn)) return null;
    if ('person' in session) recordMember(session);
    else recordUse(session);
    return session;
  }

  return {
    authenticate,
    signIn: async ({ credentials, previousSecret, requestId, authorize }) => {
      const principal =
        'code' in credentials
          ? await redeem(credentials.code, requestId)
          : await authenticateSignIn(credentials.token, requestId);
      const stated = 'workspace' in credentials ? (credentials.workspace?.trim().toLowerCase() ?? '') : '';
      if (stated !== '' && stated !== principal.workspace.uuid) {
        logRefusal(principal, requestId, 'another workspace');
        throw new ProblemError(403, 'This token has no access to the given workspace.');
      }
      if (!withTokenSignIn) {
        logRefusal(principal, requestId, 'token sign-in is off');
        throw new ProblemError(403, "Signing in with a token is turned off. Use your organisation's account.");
      }
      if (!includesRole(principal.role, 'read')) {
        logRefusal(principal, requestId, 'role reads nothing');
        throw new ProblemError(403, `This token is for programs: the role "${principal.role}" can't read.`);
      }
      await authorize(principal);
      const asked = { ...principal, statedWorkspace: stated === '' ? null : stated };
      const author = authorOf({ token: principal.token, requestId });
      const { secret, uuid } = await openSession(database, asked, { previousSecret, author }, now());
      return { session: { ...asked, session: uuid }, secret };
    },
    findSession: (secret, workspace) => findAndRecord(secret, workspace, renew),
    findSessionAtHand: (secret, workspace) => findAndRecord(secret, workspace, renew && refuseToAsk),
    endSession: async (secret, requestId) => {
      const end = async () => {
        for (const principal of await endSession(database, accessWrites, secret, now()))
          accessLog.addSignOut(principal, requestId, now());
      };
      await withTimeout(end(), END_TIMEOUT_MS, signOutPendingProblem);
    },
    toSessionResult: (session) => ({ data: withAdditions ? describeSession(session) : describeBareSession(session) }),
  };
}

/** Not 404 or 410: a program would take these for an answer about a contact. */
function suspendedProblem({ moved_to }: Workspace): ProblemError {
  const detail =
    moved_to === null ? 'The workspace of this token is suspended.' : `This workspace has moved to ${moved_to}.`;
  return new ProblemError(403, detail);
}

const refuseToAsk = () => Promise.reject(new ProblemError(503, 'The account must be checked with its provider first.'));

function describeSession(session: StoredSession): Session {
  const { uuid: workspace_uuid, name, identity_field } = session.workspace;
  const capabilities = additions.map(({ id }) => id);
  const described = { workspace_uuid, name, identity_field, role: session.role, capabilities };
  if ('token' in session) return { ...described, person: null, workspaces: [] };
  const { person, memberships } = session;
  return {
    ...described,
    person: { uuid: person.uuid, name: person.name, email: person.email },
    workspaces: memberships.map(({ workspace, role }) => ({ uuid: workspace.uuid, name: workspace.name, role })),
  };
}

/** Without our additions the console learns only what the user entered, as with any other service of the interface. */
function describeBareSession(session: StoredSession): Session {
  const workspace_uuid = 'token' in session ? session.statedWorkspace : null;
  return {
    workspace_uuid,
    name: null,
    identity_field: null,
    role: null,
    capabilities: [],
    person: null,
    workspaces: [],
  };
}

const signOutPendingProblem = () =>
  new ProblemError(
    503,
    "You're signed out in this browser. The server will record it once the database is available.",
    { headers: { 'retry-after': '2' } },
  );
