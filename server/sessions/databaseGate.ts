import { setTimeout as delay } from 'node:timers/promises';
import { additions } from '#contract/additions.ts';
import { unauthorized, unknownToken } from '../http/auth.ts';
import type { Database } from '../database/database.ts';
import { whileUnchanged } from '../database/sqlite/whileUnchanged.ts';
import type { Gate } from '../http/gate.ts';
import { Refusal } from '../http/problems.ts';
import { findAccess, type Access } from '../workspaces/store.ts';
import type { SessionNotes } from './sessionNotes.ts';
import { endSession, findSession, openSession, redeemSignInCode, type Session } from './store.ts';

/** Milliseconds for which who signs out waits until that is written. */
const WAIT = 2000;

export type DatabaseGate = {
  database: Database;
  notes: SessionNotes;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  /** Whether the service offers more than the interface. */
  withAdditions: boolean;
};

/** The gate to our own data. What a revocation changes is read again after every commit, so that it acts on the next request. */
export function databaseGate({ database, notes, now, withAdditions }: DatabaseGate): Gate<Session> {
  const accessWith = whileUnchanged(database, (token) => findAccess(database, token));

  async function accessOf(token: string): Promise<Access> {
    const access = await accessWith(token);
    if (access === null) throw unknownToken();
    if (access.workspace.suspended) throw new Refusal(403, 'The workspace of this token is suspended.');
    return access;
  }

  async function redeem(code: string): Promise<Access> {
    const access = await redeemSignInCode(database, code, now());
    if (access === null || access.workspace.suspended) {
      throw unauthorized('This sign-in link was used before, or its 15 minutes are over. Use a new one, or a token.');
    }
    return access;
  }

  return {
    accessOf,
    signIn: async ({ credentials, earlier, admit }) => {
      const access = 'code' in credentials ? await redeem(credentials.code) : await accessOf(credentials.token);
      const stated = 'workspace' in credentials ? (credentials.workspace?.trim().toLowerCase() ?? '') : '';
      if (stated !== '' && stated !== access.workspace.uuid) {
        throw new Refusal(403, 'This token has no access to the workspace given.');
      }
      await admit(access);
      const session = { ...access, statedWorkspace: stated === '' ? null : stated };
      return { session, secret: await openSession(database, session, earlier, now()) };
    },
    findSession: (secret) => findSession(database, notes, secret, now()),
    endSession: async (secret) => {
      const late = delay(WAIT, null, { ref: false }).then(() => {
        throw notWrittenYet();
      });
      await Promise.race([endSession(database, notes, secret), late]);
    },
    // Without our additions it is what a stranger's service could tell: what the user stated.
    describe: ({ workspace: { uuid, name, identity_field }, statedWorkspace }) => ({
      data: withAdditions
        ? { workspace_uuid: uuid, name, identity_field, capabilities: additions.map(({ id }) => id) }
        : { workspace_uuid: statedWorkspace, name: null, identity_field: null, capabilities: [] },
    }),
  };
}

const notWrittenYet = () =>
  new Refusal(
    503,
    'You are signed out here. It is not stored yet, because the database takes no change now; it will be as soon as it does.',
    { headers: { 'retry-after': '2' } },
  );
