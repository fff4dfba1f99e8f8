import type { Database } from '../database/database.ts';
import type { WorkspaceId } from '../database/tables.ts';

export type Workspace = {
  id: WorkspaceId;
  uuid: string;
  name: string;
  /** Name of the attribute that is an identity besides email and phone; null when there is none. */
  identity_field: string | null;
  suspended: boolean;
};

/** A token as it may be shown: without its secret. Times are milliseconds. */
export type Token = { uuid: string; name: string; created_at: number; revoked_at: number | null };

/** Who calls: the token that was presented and the workspace it belongs to, which may be suspended. */
export type Access = { workspace: Workspace; token: { uuid: string; name: string } };

export async function createWorkspace(
  _db: Database,
  _workspace: { name: string; identity_field: string | null },
  _now: number,
): Promise<Workspace> {
  throw new Error('not written yet');
}

export async function listWorkspaces(_db: Database): Promise<Workspace[]> {
  throw new Error('not written yet');
}

export async function findWorkspace(_db: Database, _uuid: string): Promise<Workspace | null> {
  throw new Error('not written yet');
}

export async function setSuspended(_workspace: Workspace, _db: Database, _suspended: boolean): Promise<void> {
  throw new Error('not written yet');
}

/** Makes an access token. The secret is in the answer only: what is stored is its hash. */
export async function createToken(
  _workspace: Workspace,
  _db: Database,
  _name: string,
  _now: number,
): Promise<{ uuid: string; token: string }> {
  throw new Error('not written yet');
}

export async function listTokens(_workspace: Workspace, _db: Database): Promise<Token[]> {
  throw new Error('not written yet');
}

/** Revokes from the next request on. False when the workspace has no such token. */
export async function revokeToken(_workspace: Workspace, _db: Database, _uuid: string, _now: number): Promise<boolean> {
  throw new Error('not written yet');
}

/** What `token` gives access to; null when it is malformed, unknown or revoked. */
export async function findAccess(_db: Database, _token: string): Promise<Access | null> {
  throw new Error('not written yet');
}

/** The same for a session, which knows its token by uuid. */
export async function findAccessByTokenUuid(
  _db: Database,
  _workspaceId: WorkspaceId,
  _tokenUuid: string,
): Promise<Access | null> {
  throw new Error('not written yet');
}
