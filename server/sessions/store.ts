import { hash, randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { SESSION_LIFETIME_MS } from '../http/sessionCookie.ts';
import type { WorkspacePrincipal } from '../database/workspace.ts';
import { findPrincipalByTokenUuid } from '../workspaces/store.ts';
import type { SessionWriteBuffer } from './sessionWriteBuffer.ts';

const MINUTE = 60_000;
/** A session ends after this long without a request, in milliseconds. */
export const IDLE_TIMEOUT_MS = 30 * MINUTE;
export const SIGN_IN_CODE_LIFETIME_MS = 15 * MINUTE;

/** With the rights of its token. `statedWorkspace` is the ID that the user entered at sign-in. */
export type StoredSession = WorkspacePrincipal & { statedWorkspace: string | null };

/** Open sessions of a token. The next one ends the oldest. */
export const SESSIONS_PER_TOKEN_MAX = 20;

/** Gives the secret, of which only a hash is stored. Ends the session of `previousSecret`. */
export async function openSession(
  db: Database,
  { workspace, token, statedWorkspace }: StoredSession,
  previousSecret: string | undefined,
  now: number,
): Promise<string> {
  const secret = newSecret();
  await db.unscoped.write(async (trx) => {
    const sessions = () =>
      trx.deleteFrom('sessions').where('workspace_id', '=', workspace.id).where('token_uuid', '=', token.uuid);
    await trx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    if (previousSecret !== undefined)
      await trx.deleteFrom('sessions').where('hash', '=', hashSecret(previousSecret)).execute();
    await sessions()
      .where('hash', 'not in', (all) =>
        all
          .selectFrom('sessions')
          .select('hash')
          .where('workspace_id', '=', workspace.id)
          .where('token_uuid', '=', token.uuid)
          .orderBy('created_at', 'desc')
          .limit(SESSIONS_PER_TOKEN_MAX - 1),
      )
      .execute();
    await trx
      .insertInto('sessions')
      .values({
        hash: hashSecret(secret),
        workspace_id: workspace.id,
        token_uuid: token.uuid,
        created_at: now,
        seen_at: now,
        expires_at: now + SESSION_LIFETIME_MS,
        stated_workspace: statedWorkspace,
      })
      .execute();
  });
  return secret;
}

/**
 * The session of `secret`, or null. A time limit, a revoked token and a suspended workspace end it for good. What is to be
 * stored about it goes to `writeBuffer`, so that reads never wait for the write lock.
 */
export async function findSession(
  db: Database,
  writeBuffer: SessionWriteBuffer,
  secret: string,
  now: number,
): Promise<StoredSession | null> {
  const hash = hashSecret(secret);
  // Before the row is read: what leaves the buffer meanwhile is in the row.
  const bufferedAt = writeBuffer.lastSeenAt(hash);
  if (writeBuffer.hasEnded(hash)) return null;
  const row = await db.unscoped.kysely
    .selectFrom('sessions')
    .select(['workspace_id', 'token_uuid', 'seen_at', 'expires_at', 'stated_workspace'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  const principal = await findPrincipalByTokenUuid(db, row.workspace_id, row.token_uuid);
  const seenAt = Math.max(row.seen_at, bufferedAt);
  const isOver = now >= row.expires_at || now >= seenAt + IDLE_TIMEOUT_MS;
  if (isOver || principal === null || principal.workspace.suspended) {
    void writeBuffer.end(hash);
    return null;
  }
  // Stored at most once a minute.
  if (now >= seenAt + MINUTE) writeBuffer.recordUse(hash, now);
  return { ...principal, statedWorkspace: row.stated_workspace };
}

/** Ends the session of `secret`, in this process at once. Resolves when that is stored, and so holds for every process. */
export async function endSession(db: Database, writeBuffer: SessionWriteBuffer, secret: string): Promise<void> {
  const hash = hashSecret(secret);
  const row = await db.unscoped.kysely
    .selectFrom('sessions')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (row !== undefined) await writeBuffer.end(hash);
}

/** A code that opens one session with this token within 15 minutes. `now` is in milliseconds. */
export async function createSignInCode(
  db: Database,
  { workspace, token }: WorkspacePrincipal,
  now: number,
): Promise<string> {
  const code = newSecret();
  await db.unscoped.write(async (trx) => {
    await trx.deleteFrom('sign_in_codes').where('expires_at', '<=', now).execute();
    await trx
      .insertInto('sign_in_codes')
      .values({
        hash: hashSecret(code),
        workspace_id: workspace.id,
        token_uuid: token.uuid,
        expires_at: now + SIGN_IN_CODE_LIFETIME_MS,
        used_at: null,
      })
      .execute();
  });
  return code;
}

/** Redeems `code` and gives its principal; null when it is unknown, used or expired, or its token is revoked. */
export async function redeemSignInCode(db: Database, code: string, now: number): Promise<WorkspacePrincipal | null> {
  const row = await db.unscoped.write((trx) =>
    trx
      .updateTable('sign_in_codes')
      .set({ used_at: now })
      .where('hash', '=', hashSecret(code))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['workspace_id', 'token_uuid'])
      .executeTakeFirst(),
  );
  return row === undefined ? null : findPrincipalByTokenUuid(db, row.workspace_id, row.token_uuid);
}

/** 256 random bits, in characters that are safe in a URL and a cookie. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** The number of open sessions, of all processes on this data. `now` is in milliseconds. */
export async function countSessions(database: Database, now: number): Promise<number> {
  const { count } = await database.unscoped.readLong((trx) =>
    trx
      .selectFrom('sessions')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('expires_at', '>', now)
      .where('seen_at', '>', now - IDLE_TIMEOUT_MS)
      .executeTakeFirstOrThrow(),
  );
  return count;
}
