import type { Session } from '#contract/session.ts';

/** For tests: the session of a token, which knows nothing but what is said here. */
export const sessionWith = (known: Partial<Session> = {}): Session => ({
  workspace_uuid: null,
  name: null,
  identity_field: null,
  role: null,
  person: null,
  workspaces: [],
  capabilities: [],
  ...known,
});
