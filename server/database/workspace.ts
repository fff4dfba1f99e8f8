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
