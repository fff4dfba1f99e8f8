import { randomUUID } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import type { LogAuthor } from '../database/changeLog/author.ts';
import type { Database, Transaction } from '../database/database.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Access, Person, WorkspacePrincipal } from '../database/workspace.ts';
import type { Admitted } from '../members/admit.ts';
import { type Membership, readPerson } from '../members/memberships.ts';
import { findPrincipalByTokenUuid, type TokenPrincipal } from '../workspaces/store.ts';
import type { AccessWriteBuffer } from './accessWriteBuffer.ts';
import { hashSecret, newSecret } from '../http/authentication/secret.ts';
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

export type PersonSession = Access & {
  person: Person;
  session: string;
  membership: Membership;
  memberships: readonly Membership[];
};

export type StoredSession = TokenSession | PersonSession;

type SignIn = {
  previousSecret: string | undefined;
  author: LogAuthor;
};

type NewSession = Omit<Insertable<Tables['sessions']>, 'hash' | 'uuid' | 'created_at' | 'seen_at'> & {
  token_uuid: string | null;
  person_uuid: string | null;
};

/** Stores a hash of the secret only. Ends what is over, the previous session, and the oldest if the owner has too many. */
async function insertSession(
  trx: Transaction,
  session: NewSession,
  { previousSecret }: Pick<SignIn, 'previousSecret'>,
  now: number,
): Promise<{ secret: string; uuid: string }> {
  const secret = newSecret();
  const uuid = randomUUID();
  await trx.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  if (previousSecret !== undefined)
    await trx.deleteFrom('sessions').where('hash', '=', hashSecret(previousSecret)).execute();
  const { workspace_id, token_uuid, person_uuid } = session;
  const owner = person_uuid === null ? { workspace_id, token_uuid } : { person_uuid };
  const kept = trx
    .selectFrom('sessions')
    .select('hash')
    .where((eb) => eb.and(owner))
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_PER_OWNER_MAX - 1);
  await trx
    .deleteFrom('sessions')
    .where((eb) => eb.and(owner))
    .where('hash', 'not in', kept)
    .execute();
  const row = { ...session, hash: hashSecret(secret), uuid, created_at: now, seen_at: now };
  await trx.insertInto('sessions').values(row).execute();
  return { secret, uuid };
}

export async function openSession(
  db: Database,
  { workspace, token, statedWorkspace }: Pick<TokenSession, 'workspace' | 'token' | 'statedWorkspace'>,
  signIn: SignIn,
  now: number,
): Promise<{ secret: string; uuid: string }> {
  const session = {
    workspace_id: workspace.id,
    token_uuid: token.uuid,
    person_uuid: null,
    expires_at: now + SESSION_LIFETIME_MS,
    stated_workspace: statedWorkspace,
  };
  const opened = await db.write(workspace, async (scope) => {
    const inserted = await insertSession(scope.kysely, session, signIn, now);
    await writeLog(scope, [{ action: 'sign_in', author: signIn.author }], now);
    return inserted;
  });
  if (signIn.previousSecret !== undefined) await endElsewhere(db, signIn.previousSecret);
  return opened;
}

/** Gives the secret of a session in all workspaces of a person; each logs the sign-in. `refreshToken` is sealed. */
export async function openPersonSession(
  db: Database,
  { person, workspaces }: Admitted,
  { refreshToken, ...signIn }: SignIn & { refreshToken: string | null },
  now: number,
): Promise<string> {
  const session = {
    workspace_id: null,
    token_uuid: null,
    person_uuid: person.uuid,
    expires_at: now + PERSON_SESSION_LIFETIME_MS,
    stated_workspace: null,
    asked_at: now,
    refresh_token: refreshToken,
  };
  const { secret } = await db.unscoped.write((trx) => insertSession(trx, session, signIn, now));
  // After the session, and before anybody has its secret: each use of it is logged, and each entry has a session.
  for (const workspace of workspaces)
    await db.write(workspace, (scope) => writeLog(scope, [{ action: 'sign_in', author: signIn.author }], now));
  return secret;
}

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

/** A session of a person whose provider is to be asked. `refresh_token` is sealed. */
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

/** Writes go to `writeBuffer`, so that reads never wait for the write lock. `wanted`: the UUID of a workspace. */
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

/** Ends in this process at once. Resolves when that is stored. Gives whose it was, as far as that is known. */
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
