import type { WorkspaceId } from './tables.ts';

/** A workspace as a request knows it: read once, when its token is. */
export type Workspace = {
  readonly id: WorkspaceId;
  readonly uuid: string;
  readonly name: string;
  /** Name of the attribute that is an identity besides email and phone; null when there is none. */
  readonly identity_field: string | null;
  readonly suspended: boolean;
  /** What its last write had left by then (writeMark.ts). */
  readonly mark: number;
};

/** Who calls: the token that was presented and the workspace it belongs to, which may be suspended. */
export type WorkspacePrincipal = { workspace: Workspace; token: { uuid: string; name: string } };

/** Who makes one request, as far as a log may keep it: never the token's secret. */
export type Caller = { token: WorkspacePrincipal['token']; requestId: string };
