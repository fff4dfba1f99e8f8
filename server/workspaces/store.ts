import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { newWriteMark } from '../database/writeMark.ts';
import { defineStatement } from '../database/statement.ts';
import type { WorkspaceId } from '../database/tables.ts';
import type { Workspace, WorkspacePrincipal } from '../database/workspace.ts';
import { hashToken, newToken } from './token.ts';

/** What is needed to write rows that belong to no workspace. */
type UnscopedWrite = { readonly unscoped: Pick<Database['unscoped'], 'write'> };

/** A token without its secret. Times are milliseconds. */
export type StoredToken = { uuid: string; name: string; created_at: number; revoked_at: number | null };

/** By name: a prepared statement with `*` fails once a newer version has added a column. */
const WORKSPACE_COLUMNS = ['id', 'uuid', 'name', 'identity_field', 'suspended', 'mark'] as const;

/** Creates a workspace. Its `identity_field` can never change, because contacts are found by it. */
export async function createWorkspace(
  db: UnscopedWrite,
  { name, identity_field }: Pick<Workspace, 'name' | 'identity_field'>,
  now: number,
): Promise<Workspace> {
  return db.unscoped.write(async (trx) => {
    const last = await trx
      .selectFrom('workspaces')
      .select(({ fn }) => fn.max<number | null>('id').as('id'))
      .executeTakeFirstOrThrow();
    const id = ((last.id ?? 0) + 1) as WorkspaceId;
    const uuid = randomUUID();
    const mark = newWriteMark();
    await trx.insertInto('workspaces').values({ id, uuid, name, identity_field, created_at: now, mark }).execute();
    return { id, uuid, name, identity_field, suspended: false, mark };
  });
}

/** Oldest first. */
export async function listWorkspaces(db: Database): Promise<Workspace[]> {
  const rows = await db.unscoped.kysely.selectFrom('workspaces').select(WORKSPACE_COLUMNS).orderBy('id').execute();
  return rows.map(toWorkspace);
}

/** Null when there is none. The letter case of `uuid` does not count. */
export async function findWorkspace(db: Database, uuid: string): Promise<Workspace | null> {
  const row = await db.unscoped.kysely
    .selectFrom('workspaces')
    .select(WORKSPACE_COLUMNS)
    .where('uuid', '=', uuid.toLowerCase())
    .executeTakeFirst();
  return row === undefined ? null : toWorkspace(row);
}

/** Suspends a workspace, or ends that; takes effect with the next request. */
export async function setSuspended(workspace: Workspace, db: Database, suspended: boolean): Promise<void> {
  await db.write(workspace, (scope) =>
    scope
      .updateOwn()
      .set({ suspended: Number(suspended) })
      .execute(),
  );
}

/** Creates an access token. The secret is in the result only; its hash is stored. */
export async function createToken(
  workspace: Workspace,
  db: UnscopedWrite,
  name: string,
  now: number,
): Promise<{ uuid: string; token: string }> {
  const token = newToken();
  const uuid = randomUUID();
  await db.unscoped.write((trx) =>
    trx
      .insertInto('tokens')
      .values({ hash: hashToken(token), workspace_id: workspace.id, uuid, name, created_at: now, revoked_at: null })
      .execute(),
  );
  return { uuid, token };
}

/** Oldest first, with the revoked ones. */
export async function readAllTokens(workspace: Workspace, db: Database): Promise<StoredToken[]> {
  return db.unscoped.kysely
    .selectFrom('tokens')
    .select(['uuid', 'name', 'created_at', 'revoked_at'])
    .where('workspace_id', '=', workspace.id)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

/** Revokes a token from the next request on; a repeat changes nothing. False when the workspace has no such token. */
export async function revokeToken(workspace: Workspace, db: Database, uuid: string, now: number): Promise<boolean> {
  return db.unscoped.write(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('tokens')
      .set((row) => ({ revoked_at: row.fn.coalesce('revoked_at', row.val(now)) }))
      .where('workspace_id', '=', workspace.id)
      .where('uuid', '=', uuid.toLowerCase())
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** The principal of `token`; null when it is malformed, unknown or revoked. */
export async function findPrincipal(db: Database, token: string): Promise<WorkspacePrincipal | null> {
  return toPrincipal(await principalByHash(db.unscoped.kysely, hashToken(token)));
}

/** The same for a session, which has the uuid of its token. */
export async function findPrincipalByTokenUuid(
  db: Database,
  workspaceId: WorkspaceId,
  tokenUuid: string,
): Promise<WorkspacePrincipal | null> {
  return toPrincipal(await principalByTokenUuid(db.unscoped.kysely, workspaceId, tokenUuid));
}

const selectPrincipal = sql<PrincipalRow>`
  select workspaces.id, workspaces.uuid, workspaces.name, workspaces.identity_field, workspaces.suspended,
    workspaces.mark, tokens.uuid as token_uuid, tokens.name as token_name
  from tokens join workspaces on workspaces.id = tokens.workspace_id where tokens.revoked_at is null`;
const principalByHash = defineStatement(
  (hash: string) => sql<PrincipalRow>`${selectPrincipal} and tokens.hash = ${hash}`,
);
const principalByTokenUuid = defineStatement(
  (workspaceId: WorkspaceId, uuid: string) =>
    sql<PrincipalRow>`${selectPrincipal} and tokens.workspace_id = ${workspaceId} and tokens.uuid = ${uuid}`,
);

type WorkspaceRow = Omit<Workspace, 'suspended'> & { suspended: number };
type PrincipalRow = WorkspaceRow & { token_uuid: string; token_name: string };

function toPrincipal([row]: PrincipalRow[]): WorkspacePrincipal | null {
  if (row === undefined) return null;
  return { workspace: toWorkspace(row), token: { uuid: row.token_uuid, name: row.token_name } };
}

function toWorkspace({ id, uuid, name, identity_field, suspended, mark }: WorkspaceRow): Workspace {
  return { id, uuid, name, identity_field, suspended: suspended === 1, mark };
}
