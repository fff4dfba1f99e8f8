import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { LogAuthor } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Access, Person, WorkspacePrincipal } from '../database/workspace.ts';
import type { Admitted } from '../members/admit.ts';
import { type Membership, readPerson } from '../members/memberships.ts';
import { findPrincipalByTokenUuid, type TokenPrincipal } from '../workspaces/store.ts';
import type { AccessWriteBuffer } from './accessWriteBuffer.ts';
import { hashSecret, newSecret } from './secret.ts';
import {
  ASK_AGAIN_AFTER_MS,
  IDLE_TIMEOUT_MS,
  PERSON_SESSION_LIFETIME_MS,
  SESSION_LIFETIME_MS,
  SESSIONS_PER_OWNER_MAX,
} from './sessionLimits.ts';

const MINUTE = 60_000;
export const SIGN_IN_CODE_LIFETIME_MS = 15 * MINUTE;

/** With the rights of its token. `statedWorkspace` is the ID that the user entered at sign-in. `session` is its UUID. */
export type TokenSession = TokenPrincipal & { session: string; statedWorkspace: string | null };

/** In one workspace of the person, with what they may do there. */
export type PersonSession = Access & {
  person: Person;
  session: string;
  membership: Membership;
  memberships: readonly Membership[];
};

export type StoredSession = TokenSession | PersonSession;

type SignIn = {
  /** Secret of the browser's session until now, which ends. */
  previousSecret: string | undefined;
  author: LogAuthor;
};

/** Gives the secret, of which only a hash is stored. */
export async function openSession(
  db: Database,
  { workspace, token, statedWorkspace }: Pick<TokenSession, 'workspace' | 'token' | 'statedWorkspace'>,
  { previousSecret, author }: SignIn,
  now: number,
): Promise<{ secret: string; uuid: string }> {
  const secret = newSecret();
  const uuid = randomUUID();
  await db.write(workspace, async (scope) => {
    await scope.delete('sessions').where('expires_at', '<=', now).execute();
    if (previousSecret !== undefined)
      await scope.delete('sessions').where('hash', '=', hashSecret(previousSecret)).execute();
    const kept = scope
      .select('sessions')
      .select('hash')
      .where('token_uuid', '=', token.uuid)
      .orderBy('created_at', 'desc')
      .limit(SESSIONS_PER_OWNER_MAX - 1);
    await scope.delete('sessions').where('token_uuid', '=', token.uuid).where('hash', 'not in', kept).execute();
    const row = {
      hash: hashSecret(secret),
      uuid,
      token_uuid: token.uuid,
      person_uuid: null,
      created_at: now,
      seen_at: now,
      expires_at: now + SESSION_LIFETIME_MS,
      stated_workspace: statedWorkspace,
    };
    await scope.insert('sessions', row).execute();
    await writeLog(scope, [{ action: 'sign_in', author }], now);
  });
  if (previousSecret !== undefined) await endElsewhere(db, previousSecret);
  return { secret, uuid };
}

/** Gives the secret of a session in all workspaces of a person, which have a line about the sign-in. `refreshToken` is sealed. */
export async function openPersonSession(
  db: Database,
  { person, workspaces }: Admitted,
  { previousSecret, refreshToken, author }: SignIn & { refreshToken: string | null },
  now: number,
): Promise<string> {
  const secret = newSecret();
  await db.unscoped.write(async (trx) => {
    await trx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
    if (previousSecret !== undefined)
      await trx.deleteFrom('sessions').where('hash', '=', hashSecret(previousSecret)).execute();
    const kept = trx
      .selectFrom('sessions')
      .select('hash')
      .where('person_uuid', '=', person.uuid)
      .orderBy('created_at', 'desc')
      .limit(SESSIONS_PER_OWNER_MAX - 1);
    await trx.deleteFrom('sessions').where('person_uuid', '=', person.uuid).where('hash', 'not in', kept).execute();
    const row = {
      hash: hashSecret(secret),
      uuid: randomUUID(),
      workspace_id: null,
      token_uuid: null,
      person_uuid: person.uuid,
      created_at: now,
      seen_at: now,
      expires_at: now + PERSON_SESSION_LIFETIME_MS,
      stated_workspace: null,
      asked_at: now,
      refresh_token: refreshToken,
    };
    await trx.insertInto('sessions').values(row).execute();
  });
  // After the session, and before anybody has its secret: each use of it has a line, and each line a session.
  for (const workspace of workspaces)
    await db.write(workspace, (scope) => writeLog(scope, [{ action: 'sign_in', author }], now));
  return secret;
}

/** Ends a session that is of another workspace than the one that was opened instead. */
async function endElsewhere(db: Database, secret: string): Promise<void> {
  const hash = hashSecret(secret);
  const row = await db.unscoped.kysely
    .selectFrom('sessions')
    .select('hash')
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return;
  await db.unscoped.write((trx) => trx.deleteFrom('sessions').where('hash', '=', hash).execute());
}

/** A session of a person of whom the provider is to be asked. `refresh_token` is sealed. */
export type AskedSession = Pick<Tables['sessions'], 'hash'> & {
  refresh_token: string | null;
  ask_again_at: number;
  person: Person;
};

/** Whether a session goes on of which the provider was to be asked at `dueAt`. */
export type RenewSession = (session: AskedSession, dueAt: number) => Promise<boolean>;

const SESSION_COLUMNS = [
  'hash',
  'uuid',
  'workspace_id',
  'token_uuid',
  'person_uuid',
  'seen_at',
  'expires_at',
  'stated_workspace',
  'asked_at',
  'ask_again_at',
  'refresh_token',
] as const;

/**
 * The session of `secret`, or null. A time limit, a revoked token and a suspended workspace end it for good, and that of a person who has no
 * workspace left. What is to be stored about it goes to `writeBuffer`, so that reads never wait for the write lock. `wanted` is the UUID of
 * the workspace that it is for, of the several of a person. `renew` asks the provider of their account; without it they sign in again.
 */
export async function findSession(
  db: Database,
  writeBuffer: AccessWriteBuffer,
  secret: string,
  { now, wanted, renew }: { now: number; wanted: string | null; renew: RenewSession | null },
): Promise<StoredSession | null> {
  const hash = hashSecret(secret);
  // Before the row is read: what leaves the buffer meanwhile is in the row.
  const bufferedAt = writeBuffer.lastSeenAt(hash);
  if (writeBuffer.hasEnded(hash)) return null;
  const row = await db.unscoped.kysely
    .selectFrom('sessions')
    .select(SESSION_COLUMNS)
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined) return null;
  const seenAt = Math.max(row.seen_at, bufferedAt);
  const isOver = now >= row.expires_at || now >= seenAt + IDLE_TIMEOUT_MS;
  const session = isOver ? null : await readRenewed(db, row, { wanted, now, renew });
  if (session === null || session.workspace.suspended) {
    void writeBuffer.end(hash);
    return null;
  }
  // Stored at most once a minute.
  if (now >= seenAt + MINUTE) writeBuffer.recordUse(hash, now);
  return session;
}

type SessionRow = Selectable<Pick<Tables['sessions'], (typeof SESSION_COLUMNS)[number]>>;

/** Null also where the provider does not know the person any more, or cannot be asked. */
async function readRenewed(
  db: Database,
  row: SessionRow,
  { wanted, now, renew }: { wanted: string | null; now: number; renew: RenewSession | null },
): Promise<StoredSession | null> {
  const session = await readSession(db, row, wanted, now);
  const dueAt = row.asked_at + ASK_AGAIN_AFTER_MS;
  if (session === null || 'token' in session || now < dueAt) return session;
  if (renew === null || !(await renew({ ...row, person: session.person }, dueAt))) return null;
  // With what the provider says now.
  return readSession(db, row, wanted, now);
}

async function readSession(
  db: Database,
  { uuid: session, workspace_id, token_uuid, person_uuid, stated_workspace: statedWorkspace }: SessionRow,
  wanted: string | null,
  now: number,
): Promise<StoredSession | null> {
  if (person_uuid !== null) {
    const { person, memberships } = await readPerson(db, person_uuid);
    const chosen = memberships.find(({ workspace }) => workspace.uuid === wanted) ?? memberships[0];
    if (person === null || chosen === undefined) return null;
    const { workspace, role } = chosen;
    return { person, workspace, role, session, membership: chosen, memberships };
  }
  if (workspace_id === null || token_uuid === null) return null;
  const principal = await findPrincipalByTokenUuid(db, workspace_id, token_uuid, now);
  return principal && { ...principal, session, statedWorkspace };
}

/** Sessions that end without having been read. Anybody can send cookies, and each would be kept while the database is away. */
const UNREAD_ENDS_MAX = 10_000;

/**
 * Ends the session of `secret`, in this process as soon as it is read, or cannot be. Resolves when that is stored, and so holds for every
 * process. Gives whose it was, in each of its workspaces, as far as that is still known.
 */
export async function endSession(
  db: Database,
  writeBuffer: AccessWriteBuffer,
  secret: string,
  now: number,
): Promise<WorkspacePrincipal[]> {
  const hash = hashSecret(secret);
  let session: StoredSession | null = null;
  try {
    const row = await db.unscoped.kysely
      .selectFrom('sessions')
      .select(SESSION_COLUMNS)
      .where('hash', '=', hash)
      .executeTakeFirst();
    if (row === undefined || writeBuffer.hasEnded(hash)) return [];
    session = await readSession(db, row, null, now);
  } catch (error) {
    // It ends all the same: only the log would have needed to know whose it was.
    if (writeBuffer.endedCount >= UNREAD_ENDS_MAX) throw error;
  }
  await writeBuffer.end(hash);
  if (session === null) return [];
  if ('token' in session) return [session];
  return session.memberships.map(({ workspace, role }) => ({ person: session.person, workspace, role }));
}

/** A code that opens one session with this token within 15 minutes. `now` is in milliseconds. */
export async function createSignInCode(
  db: Database,
  { workspace, token }: Pick<TokenPrincipal, 'workspace' | 'token'>,
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
export async function redeemSignInCode(db: Database, code: string, now: number): Promise<TokenPrincipal | null> {
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
  return row === undefined ? null : findPrincipalByTokenUuid(db, row.workspace_id, row.token_uuid, now);
}

/** Whose a code was that opens no session any more; null when nobody knows it. */
export async function findRefusedCode(db: Database, code: string, now: number): Promise<TokenPrincipal | null> {
  const row = await db.unscoped.kysely
    .selectFrom('sign_in_codes')
    .select(['workspace_id', 'token_uuid'])
    .where('hash', '=', hashSecret(code))
    .executeTakeFirst();
  return row === undefined ? null : findPrincipalByTokenUuid(db, row.workspace_id, row.token_uuid, now);
}

/** The number of open sessions, of all processes on this data. `now` is in milliseconds. */
export async function countSessions(database: Database, now: number): Promise<number> {
  const { count } = await database.unscoped.read(
    (trx) =>
      trx
        .selectFrom('sessions')
        .select((row) => row.fn.countAll<number>().as('count'))
        .where('expires_at', '>', now)
        .where('seen_at', '>', now - IDLE_TIMEOUT_MS)
        .executeTakeFirstOrThrow(),
    { isLong: true },
  );
  return count;
}
