import { sql, type SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import { findWorkspaces } from '../workspaces/store.ts';

/** Due domains, and the lag of the first one. New domains, due at once, don't count for the lag. */
type Backlog = { due: number; lagSeconds: number };

/** Without suspended workspaces. `now` is milliseconds since the epoch. */
export async function readBacklog(database: Database, now: number): Promise<Backlog> {
  // One lookup in an index for each workspace.
  const query = sql<{ due: number | null; next: number | null }>`
    select sum(due) as due, min(next) as next from (
      select
        (select count(*) from domains where workspace_id = workspaces.id and next_check_at <= ${now}) as due,
        (select min(next_check_at) from domains where workspace_id = workspaces.id and next_check_at > 0) as next
      from workspaces where suspended = 0
    ) as backlogs`;
  const { rows } = await database.unscoped.read((trx) => query.execute(trx), { isLong: true });
  const { due, next } = rows[0] ?? {};
  return { due: due ?? 0, lagSeconds: Math.max(0, now - (next ?? now)) / 1000 };
}

/** The workspaces with due domains, without suspended ones. `now` is milliseconds since the epoch. */
export function findDueWorkspaces(database: Database, now: number): Promise<Workspace[]> {
  const condition = sql<SqlBool>`suspended = 0 and exists (
    select 1 from domains where workspace_id = workspaces.id and next_check_at <= ${now})`;
  return findWorkspaces(database, condition);
}
