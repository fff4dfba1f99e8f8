import { sql, type SqlBool } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { Scope } from '../../database/scope.ts';
import type { Workspace } from '../../database/workspace.ts';
import { findWorkspaces, type Found } from '../../workspaces/store.ts';
import { LONGEST_PAUSE } from '../putVerdicts.ts';

// Next checks of domains that no pause explains: the clock was ahead when they were stored, and set back.

const isTooLate = (now: number) => sql<SqlBool>`next_check_at > ${now + LONGEST_PAUSE}`;

/** The workspaces with such domains, without suspended ones. `now` is milliseconds since the epoch. */
export function findLateWorkspaces(database: Database, now: number): Promise<Workspace[]> {
  const late = sql<Found>`
    select workspace_id from workspace_heads as head where exists (
      select 1 from domains where domains.workspace_id = head.workspace_id and ${isTooLate(now)})`;
  return findWorkspaces(database, late);
}

/** Makes them due. */
export async function bringChecksForward(scope: Scope, now: number): Promise<void> {
  await scope.update('domains').set({ next_check_at: now }).where(isTooLate(now)).execute();
}

/** Names such domains. */
export async function verifyCheckTimes(workspace: Workspace, database: Database, now: number): Promise<string[]> {
  const rows = await database.read(workspace, (scope) =>
    scope.select('domains').select('uuid').where(isTooLate(now)).orderBy('uuid').execute(),
  );
  return rows.map(
    ({ uuid }) => `The next check of domain ${uuid} is more than a day ahead, as if the clock was set back.`,
  );
}
