import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import type { SignedIn } from '#contract/members.ts';
import type { Database } from '../database/database.ts';
import { timestamp } from '../database/timestamp.ts';
import type { NamedPrincipal, Workspace } from '../database/workspace.ts';
import { IDLE_TIMEOUT_MS } from './sessionLimits.ts';

type Asked = {
  /** Whose sessions; null for all of the workspace. */
  owner: NamedPrincipal | null;
  current: string | null;
};

type SessionRow = {
  hash: string;
  uuid: string;
  created_at: number;
  seen_at: number;
  expires_at: number;
  token_name: string | null;
  person_uuid: string | null;
  person_name: string | null;
  person_email: string | null;
};

export function listSessions(
  workspace: Workspace,
  db: Database,
  { owner, current }: Asked,
  query: CheckedListQuery,
  now: number,
): Promise<Page<SignedIn>> {
  const isOpen = sql`sessions.expires_at > ${now} and sessions.seen_at > ${now - IDLE_TIMEOUT_MS}`;
  const open = sql`${sessionsOf(workspace, owner)} and ${isOpen}`;
  // Unscoped, because a session of a person is of several workspaces.
  return db.unscoped.read(
    async (trx) => {
      const { rows: counted } = await sql<{ total: number }>`select count(*) as total ${open}`.execute(trx);
      const { rows } = await sql<SessionRow>`
      select ${COLUMNS} ${open} order by sessions.created_at desc, sessions.uuid desc
      limit cast(${query.per_page} as integer) offset cast(${(query.page - 1) * query.per_page} as bigint)`.execute(
        trx,
      );
      return {
        data: rows.map((row) => signedInOf(row, current)),
        meta: createPageMeta(query, must(counted[0]).total),
      };
    },
    { isLong: true },
  );
}

/** The session with this UUID, and what the log says of it when it is ended. Null where it is none of these. */
export async function findListedSession(
  workspace: Workspace,
  db: Database,
  uuid: string,
  owner: Asked['owner'],
): Promise<{ hash: string; details: Record<string, string> } | null> {
  const { rows } = await db.unscoped.read((trx) =>
    sql<SessionRow>`
      select ${COLUMNS} ${sessionsOf(workspace, owner)} and sessions.uuid = ${uuid.toLowerCase()}`.execute(trx),
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { hash, token_name, person_name, person_email } = row;
  return { hash, details: person_email ? { email: person_email } : { name: token_name ?? person_name ?? '' } };
}

const COLUMNS = sql`sessions.hash as hash, sessions.uuid as uuid, sessions.created_at as created_at,
  sessions.seen_at as seen_at, sessions.expires_at as expires_at, tokens.name as token_name,
  sessions.person_uuid as person_uuid, people.name as person_name, people.email as person_email`;

function sessionsOf({ id }: Workspace, owner: NamedPrincipal | null): RawBuilder<unknown> {
  const isWanted =
    owner === null
      ? sql<SqlBool>`true`
      : 'token' in owner
        ? sql<SqlBool>`sessions.token_uuid = ${owner.token.uuid}`
        : sql<SqlBool>`sessions.person_uuid = ${owner.person.uuid}`;
  return sql`
    from sessions
    left join tokens on tokens.workspace_id = sessions.workspace_id and tokens.uuid = sessions.token_uuid
    left join people on people.uuid = sessions.person_uuid
    where (sessions.workspace_id = ${id} or sessions.person_uuid in (
      select person_uuid from members where workspace_id = ${id} and person_uuid is not null
    )) and ${isWanted}`;
}

function signedInOf(row: SessionRow, current: string | null): SignedIn {
  const { uuid, person_uuid, person_name: name, person_email: email } = row;
  return {
    uuid,
    current: uuid === current,
    person: person_uuid === null || email === null ? null : { uuid: person_uuid, name, email },
    token: row.token_name,
    created_at: timestamp(row.created_at),
    seen_at: timestamp(row.seen_at),
    expires_at: timestamp(row.expires_at),
  };
}
