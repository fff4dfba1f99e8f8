import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database } from '../../database/database.ts';
import type { Workspace } from '../../database/workspace.ts';
import { findWorkspaces, type Found, listSuspended } from '../../workspaces/store.ts';

/** Due domains, and the lag of the first one. New domains, due at once, don't count for the lag. */
type Backlog = { due: number; lagSeconds: number };

/** Without suspended workspaces. `now` is milliseconds since the epoch. */
export async function readBacklog(database: Database, now: number): Promise<Backlog> {
  const suspended = await listSuspended(database);
  // Lookups in an index for each workspace.
  const query = sql<{ due: number | null; next: number | null }>`
    select sum(due) as due, min(next) as next from (
      select
        (select count(*) from domains where domains.workspace_id = head.workspace_id and next_check_at <= ${now}) as due,
        (select min(next_check_at) from domains where domains.workspace_id = head.workspace_id and next_check_at > 0) as next
      from workspace_heads as head where head.workspace_id not in (${sql.join([0, ...suspended])})
    ) as backlogs`;
  const { rows } = await database.unscoped.read((trx) => query.execute(trx), { isLong: true });
  const { due, next } = rows[0] ?? {};
  return { due: due ?? 0, lagSeconds: Math.max(0, now - (next ?? now)) / 1000 };
}

/** The domains of all workspaces by state, their accepted faults and open incidents. */
type DomainCounts = Record<'healthy' | 'warning' | 'pending' | 'failing' | 'accepted' | 'incidents', number>;

const sumOf = (column: string) => sql`coalesce(cast(sum(${sql.ref(column)}) as bigint), 0)`;

export async function countDomains(database: Database): Promise<DomainCounts> {
  const query = sql<Omit<DomainCounts, 'healthy'> & { total: number }>`
    select * from (
      select ${sumOf('domain_count')} as total, ${sumOf('warning_domain_count')} as warning,
        ${sumOf('pending_domain_count')} as pending, ${sumOf('failing_domain_count')} as failing from workspace_heads
    ) as heads,
    (select count(*) as accepted from acceptances where ended_at is null) as accepted,
    (select count(*) as incidents from incidents where state <> 'closed' and state <> 'suspect') as open`;
  const { rows } = await database.unscoped.read((trx) => query.execute(trx), { isLong: true });
  const { total, ...counts } = must(rows[0]);
  return { ...counts, healthy: total - counts.warning - counts.pending - counts.failing };
}

/** The workspaces with due domains, without suspended ones. `now` is milliseconds since the epoch. */
export function findDueWorkspaces(database: Database, now: number): Promise<Workspace[]> {
  const due = sql<Found>`
    select workspace_id from workspace_heads as head where exists (
      select 1 from domains where domains.workspace_id = head.workspace_id and next_check_at <= ${now})`;
  return findWorkspaces(database, due);
}
