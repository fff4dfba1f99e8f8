import type { CheckedListQuery } from '#contract/list.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';

/**
 * A page of the events of the contact that `value` names, as JSON text (`Page<Event>`): stored attributes are JSON
 * already, and reading them only to write them again would be half the cost of the call. Null when there is no such
 * contact.
 */
export async function listContactEvents(
  _workspace: Workspace,
  _db: Database,
  _value: string,
  _query: CheckedListQuery,
): Promise<string | null> {
  throw new Error('not written yet');
}
