import { additions } from '#contract/additions.ts';
import type { Result } from '#contract/endpoint.ts';
import type { Credentials, getSession } from '#contract/session.ts';
import { accessOf, unauthorized } from '../auth.ts';
import { Refusal } from '../problems.ts';
import type { Means } from '../route.ts';
import type { Access } from '../workspaces/store.ts';
import { openSession, redeemSignInCode, type Session } from './store.ts';

/** Exchanges a token or a one-time code for a session. Throws a `Refusal`. */
export async function signIn(credentials: Credentials, means: Means): Promise<{ secret: string; session: Session }> {
  const access =
    'code' in credentials ? await redeem(credentials.code, means) : await accessOf(credentials.token, means);
  const stated = 'workspace' in credentials ? (credentials.workspace?.trim().toLowerCase() ?? '') : '';
  if (stated !== '' && stated !== access.workspace.uuid) {
    throw new Refusal(403, 'This token has no access to the workspace given.');
  }
  const session = { ...access, statedWorkspace: stated === '' ? null : stated };
  return { session, secret: await openSession(means.database, session, means.now()) };
}

async function redeem(code: string, { database, now }: Means): Promise<Access> {
  const access = await redeemSignInCode(database, code, now());
  if (access === null || access.workspace.suspended) {
    throw unauthorized('This sign-in link was used before, or its 15 minutes are over. Use a new one, or a token.');
  }
  return access;
}

/** What the console may know. Without our additions it is what a stranger's service could tell: what the user stated. */
export function describeSession(session: Session, withAdditions: boolean): Result<typeof getSession> {
  if (!withAdditions) {
    return { data: { workspace_uuid: session.statedWorkspace, name: null, identity_field: null, capabilities: [] } };
  }
  const { uuid, name, identity_field } = session.workspace;
  return { data: { workspace_uuid: uuid, name, identity_field, capabilities: additions.map(({ id }) => id) } };
}
