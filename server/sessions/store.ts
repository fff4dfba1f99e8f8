import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { DatabaseBusy } from '../database/failures.ts';
import { findAccessByTokenUuid, type Access } from '../workspaces/store.ts';

const MINUTE = 60_000;
/** A session ends after this long without a request, in milliseconds. */
export const IDLE_LIMIT = 30 * MINUTE;
/** A session ends this long after sign-in, whatever happens, in milliseconds. */
export const SESSION_LIFE = 12 * 60 * MINUTE;
export const CODE_LIFE = 15 * MINUTE;

/** A session stands for the token it was opened with; `statedWorkspace` is the ID that the user gave at sign-in. */
export type Session = Access & { statedWorkspace: string | null };

/** Opens a session and gives its secret. What is stored is a hash of it. */
export async function openSession(db: Database, session: Session, now: number): Promise<string> {
  const secret = newSecret();
  await db.write(null, async (trx) => {
    await trx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    await trx
      .insertInto('sessions')
      .values({
        hash: hashOf(secret),
        workspace_id: session.workspace.id,
        token_uuid: session.token.uuid,
        created_at: now,
        seen_at: now,
        expires_at: now + SESSION_LIFE,
        stated_workspace: session.statedWorkspace,
      })
      .execute();
  });
  return secret;
}

/** The session of `secret`, or null. A time limit, a revoked token and a suspended workspace end it for good. */
export async function findSession(db: Database, secret: string, now: number): Promise<Session | null> {
  const row = await db.kysely
    .selectFrom('sessions')
    .select(['workspace_id', 'token_uuid', 'seen_at', 'expires_at', 'stated_workspace'])
    .where('hash', '=', hashOf(secret))
    .executeTakeFirst();
  if (row === undefined) return null;
  const access = await findAccessByTokenUuid(db, row.workspace_id, row.token_uuid);
  const isOver = now >= row.expires_at || now >= row.seen_at + IDLE_LIMIT;
  if (isOver || access === null || access.workspace.suspended) {
    await endSession(db, secret);
    return null;
  }
  // To the minute is exact enough, and keeps reading free of writes.
  if (now >= row.seen_at + MINUTE) await markSeen(db, secret, now);
  return { ...access, statedWorkspace: row.stated_workspace };
}

async function markSeen(db: Database, secret: string, now: number): Promise<void> {
  try {
    await db.write(null, (trx) =>
      trx.updateTable('sessions').set({ seen_at: now }).where('hash', '=', hashOf(secret)).execute(),
    );
  } catch (error) {
    // The next request marks it; that a long import holds the lock is no reason to refuse this one.
    if (!(error instanceof DatabaseBusy)) throw error;
  }
}

export async function endSession(db: Database, secret: string): Promise<void> {
  await db.write(null, (trx) => trx.deleteFrom('sessions').where('hash', '=', hashOf(secret)).execute());
}

/** Makes the code of a sign-in link: it opens one session with the token of `access`, within 15 minutes. */
export async function createSignInCode(db: Database, { workspace, token }: Access, now: number): Promise<string> {
  const code = newSecret();
  await db.write(null, async (trx) => {
    await trx.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute();
    await trx
      .insertInto('sign_in_codes')
      .values({
        hash: hashOf(code),
        workspace_id: workspace.id,
        token_uuid: token.uuid,
        expires_at: now + CODE_LIFE,
        used_at: null,
      })
      .execute();
  });
  return code;
}

/** Uses up `code` and gives the access it stands for; null when it is unknown, used or expired, or its token is revoked. */
export async function redeemSignInCode(db: Database, code: string, now: number): Promise<Access | null> {
  const row = await db.write(null, (trx) =>
    trx
      .updateTable('sign_in_codes')
      .set({ used_at: now })
      .where('hash', '=', hashOf(code))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['workspace_id', 'token_uuid'])
      .executeTakeFirst(),
  );
  return row === undefined ? null : findAccessByTokenUuid(db, row.workspace_id, row.token_uuid);
}

/** 256 random bits in letters that a URL and a cookie can carry. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(secret: string): string {
  return hash('sha256', secret);
}
