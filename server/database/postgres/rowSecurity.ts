import type { ClientBase } from 'pg';
import type { WorkspaceId } from '../tables.ts';
import type { AheadStatement } from './preparedStatements.ts';

// The policies of the tables let a statement reach the rows of the workspace that the setting `sendroom.workspace` of its
// transaction names, all rows with `*`, and none without (docs/decisions/0025-row-level-security.md).

/** Whose rows statements reach: those of a workspace, or of all. */
export type RowScope = WorkspaceId | '*';

/** Gives no row. */
const SET_SCOPE = { name: 'scope', text: `select where set_config('sendroom.workspace', $1, $2) is null` };

/** Prepares a session that is ours alone for single statements, which have all rows in their scope unless they set another. */
export async function prepareScopes(client: ClientBase): Promise<void> {
  await client.query({ ...SET_SCOPE, values: ['*', false] });
}

/** Sets the scope of the statement sent next, which has to be in the same message to the server: that is one transaction, at the end of which the scope ends. */
export function scopeOfNext(scope: RowScope): AheadStatement {
  return { ...SET_SCOPE, values: [String(scope), 'true'] };
}
