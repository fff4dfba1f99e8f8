import type { QueryResult } from 'kysely';
import { type Client, Query, type QueryConfig } from 'pg';
import { must } from '#contract/must.ts';
import type { WorkspaceId } from '../tables.ts';

// The policies of the tables let a statement reach the rows of the workspace that the setting `sendroom.workspace` of its
// transaction names, all rows with `*`, and none without (docs/decisions/0025-row-level-security.md).

/** Whose rows statements reach: those of a workspace, or of all. */
export type RowScope = WorkspaceId | '*';

/** SQL that sets the scope of a transaction. */
export function setRowScope(scope: RowScope): string {
  return `set local sendroom.workspace = '${scope === '*' ? scope : Number(scope)}'`;
}

/** Gives no row, so that the rows of the statement after it are all that is answered. */
const SET_SCOPE = `select where set_config('sendroom.workspace', $1, true) is null`;
const PREPARED_NAME = 'scope';

/** Prepares the session of `client` for `queryInScope`. */
export async function prepareScopes(client: Client): Promise<void> {
  await client.query({ name: PREPARED_NAME, text: SET_SCOPE, values: [''] });
}

/**
 * Runs one statement with its scope, in one message to the server. Messages up to the next Sync are one transaction, at the end of
 * which the scope ends (https://www.postgresql.org/docs/current/protocol-flow.html, pipelining). With a `name` the statement is
 * prepared once in the session, for which `prepareScopes` was called.
 */
export function queryInScope<Row>(
  client: Client,
  scope: RowScope,
  statement: { text: string; values: unknown[]; name: string | undefined },
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const config: QueryConfig & { queryMode: 'extended' } = { ...statement, queryMode: 'extended' };
    const query = new Query(config, undefined, (error: Error | null | undefined, results) => {
      if (error) reject(error);
      // The first result is that of SET_SCOPE.
      else resolve(must((results as unknown as QueryResult<Row>[])[1]));
    });
    const { submit } = query;
    query.submit = (connection) => {
      const isPrepared = statement.name !== undefined;
      if (!isPrepared) connection.parse({ name: '', text: SET_SCOPE, types: [] }, true);
      connection.bind({ statement: isPrepared ? PREPARED_NAME : '', values: [String(scope)] }, true);
      connection.execute(null, true);
      return submit.call(query, connection);
    };
    client.query(query);
  });
}
