import type { ClientBase, Connection } from 'pg';
import type { WorkspaceId } from '../tables.ts';

// The policies of the tables let a statement reach the rows of the workspace that the setting `sendroom.workspace` of its
// transaction names, all rows with `*`, and none without (docs/decisions/0025-row-level-security.md).

/** Whose rows statements reach: those of a workspace, or of all. */
export type RowScope = WorkspaceId | '*';

/** SQL that sets the scope of a transaction. */
export function setRowScope(scope: RowScope): string {
  return `set local sendroom.workspace = '${scope === '*' ? scope : Number(scope)}'`;
}

/** Gives no row. */
const SET_SCOPE = `select where set_config('sendroom.workspace', $1, $2) is null`;
const PREPARED_NAME = 'scope';

/** Prepares a session that is ours alone for single statements, which have all rows in their scope unless they set another. */
export async function prepareScopes(client: ClientBase): Promise<void> {
  await client.query({ name: PREPARED_NAME, text: SET_SCOPE, values: ['*', false] });
}

/**
 * Sends what sets the scope of the statement sent next, which has to be in the same message to the server. Messages up to the next
 * Sync are one transaction, at the end of which the scope ends
 * (https://www.postgresql.org/docs/current/protocol-flow.html, pipelining).
 */
export function sendRowScope(connection: Connection, scope: RowScope, isPrepared: boolean): void {
  if (!isPrepared) connection.parse({ name: '', text: SET_SCOPE, types: [] }, true);
  connection.bind({ statement: isPrepared ? PREPARED_NAME : '', values: [String(scope), 'true'] }, true);
  connection.execute(null, true);
}
