import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { defineStatement } from '../../database/statement.ts';
import type { Workspace } from '../../database/workspace.ts';
import { hashSecret } from '../../http/authentication/secret.ts';
import { toWorkspace, type WorkspaceRow } from '../../workspaces/store.ts';

/** A link that works, with its workspace. */
export type OpenedLink = {
  workspace: Workspace;
  uuid: string;
  domainUuid: string;
  expiresAt: number;
  isOpened: boolean;
};

const linkByHash = defineStatement(
  (hash: string, now: number) => sql<
    WorkspaceRow & { link_uuid: string; domain_uuid: string; expires_at: number; opened_at: number | null }
  >`
    select workspaces.id, workspaces.uuid, workspaces.name, workspaces.identity_field, workspaces.suspended, workspaces.moved_to,
      shared_links.uuid as link_uuid, domain_uuid, expires_at, opened_at
    from shared_links join workspaces on workspaces.id = shared_links.workspace_id
    where shared_links.hash = ${hash} and revoked_at is null and expires_at > ${now} and suspended = 0`,
);

/** Null if the link is unknown, revoked or expired, or its workspace is suspended. */
export async function findSharedLink(db: Database, secret: string, now: number): Promise<OpenedLink | null> {
  const [row] = await linkByHash(db.unscoped.kysely, hashSecret(secret), now);
  if (row === undefined) return null;
  const { link_uuid: uuid, domain_uuid: domainUuid, expires_at: expiresAt, opened_at } = row;
  return { workspace: toWorkspace(row), uuid, domainUuid, expiresAt, isOpened: opened_at !== null };
}
