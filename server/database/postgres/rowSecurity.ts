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
const SET_SCOPE = `select where set_config('sendroom.workspace', $1, $2) is null`;
const PREPARED_NAME = 'scope';

/** Prepares a session that is ours alone for `queryInScope`. Its statements have all rows in their scope unless they set another. */
export async function prepareScopes(client: Client): Promise<void> {
  await client.query({ name: PREPARED_NAME, text: SET_SCOPE, values: ['*', false] });
}

/**
 * Runs one statement with its scope, in one message to the server. Messages up to the next Sync are one transaction, at the end of
 * which the scope ends (https://www.postgresql.org/docs/current/protocol-flow.html, pipelining). In a session that `prepareScopes`
 * has prepared the statement gets a `name`, by which it is planned once.
 */
export function queryInScope<Row>(
  client: Client,
  scope: RowScope,
  statement: { text: string; values: unknown[]; name: string | undefined; isPrepared: boolean },
): Promise<QueryResult<Row>> {
  return new Promise((resolve, reject) => {
    const config: QueryConfig & { queryMode: 'extended' } = { ...statement, queryMode: 'extended' };
    const query = new Query(config, undefined, (error: Error | null | undefined, results) => {
      if (error) reject(error);
      // Behind the result of SET_SCOPE.
      else resolve(must([results].flat().at(-1)));
    });
    const { submit } = query;
    query.submit = (connection) => {
      const { isPrepared } = statement;
      if (!(isPrepared && scope === '*')) {
        if (!isPrepared) connection.parse({ name: '', text: SET_SCOPE, types: [] }, true);
        connection.bind({ statement: isPrepared ? PREPARED_NAME : '', values: [String(scope), 'true'] }, true);
        connection.execute(null, true);
      }
      return submit.call(query, connection);
    };
    client.query(query);
  });
}
