import type { Role } from '#contract/role.ts';
import type { WorkspaceId } from './schema/tables.ts';

/** A workspace, read once for a request together with its token. */
export type Workspace = {
  readonly id: WorkspaceId;
  readonly uuid: string;
  readonly name: string;
  /** Name of the attribute that is an identity besides email and phone; null when there is none. */
  readonly identity_field: string | null;
  readonly suspended: boolean;
  /** Address of the service that has it now; null if it's here. A workspace that has moved is suspended. */
  readonly moved_to: string | null;
  /** By which events unsubscribe, as JSON (server/contacts/events/eventRules.ts); empty for none. */
  readonly event_rules: string;
};

/** A person who has signed in with the organisation's account. `subject` names them at its provider. */
export type Person = { uuid: string; name: string | null; email: string; subject: string };

/** Who makes a request, as the log names them: a token, without its secret, or a person. */
export type NamedPrincipal = { token: { uuid: string; name: string } } | { person: Person };

/** A caller's rights in a workspace, which may be suspended. */
export type Access = { workspace: Workspace; role: Role };

/** Who calls, and what they may do. */
export type WorkspacePrincipal = NamedPrincipal & Access;

/** Who makes a request, for the log. `run` is the UUID of a run of requests that it is part of, `isSession` for the console. */
export type Caller = NamedPrincipal & { requestId: string | null; run?: string | null; isSession?: boolean };
