import type { Generated } from 'kysely';

// Times are whole milliseconds since 1970-01-01T00:00Z, booleans are 0 and 1, JSON is text, UUIDs are lower-case text.
// Every key starts with the workspace (docs/decisions/0001-storage.md), except those of what tells which workspace it is.

/** Tells one workspace from another; a number that is not one of ours cannot be passed by mistake. */
export type WorkspaceId = number & { readonly of: 'workspace' };

export type Tables = {
  workspaces: {
    id: WorkspaceId;
    uuid: string;
    name: string;
    identity_field: string | null;
    suspended: Generated<number>;
    next_contact_id: Generated<number>;
    created_at: number;
  };
  tokens: {
    hash: string;
    workspace_id: WorkspaceId;
    uuid: string;
    name: string;
    created_at: number;
    revoked_at: number | null;
  };
  sessions: {
    hash: string;
    workspace_id: WorkspaceId;
    token_uuid: string;
    created_at: number;
    seen_at: number;
    expires_at: number;
    stated_workspace: string | null;
  };
  sign_in_codes: {
    hash: string;
    workspace_id: WorkspaceId;
    token_uuid: string;
    expires_at: number;
    used_at: number | null;
  };
};
