import type { WorkspaceId } from './tables.ts';

/** A workspace, read once for a request together with its token. */
export type Workspace = {
  readonly id: WorkspaceId;
  readonly uuid: string;
  readonly name: string;
  /** Name of the attribute that is an identity besides email and phone; null when there is none. */
  readonly identity_field: string | null;
  readonly suspended: boolean;
  /** The mark of its last write at that time (writeMark.ts). */
  readonly mark: number;
};

/** Who calls: the token, and the workspace it belongs to, which may be suspended. */
export type WorkspacePrincipal = { workspace: Workspace; token: { uuid: string; name: string } };

/** Who makes a request, for the log of changes; without the token's secret. */
export type Caller = { token: WorkspacePrincipal['token']; requestId: string };
