import { setTimeout as delay } from 'node:timers/promises';
import type { Domain } from '#contract/domain.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../settings/log.ts';
import type { Workspace } from '../database/workspace.ts';
import type { WorkspaceId } from '../database/schema/tables.ts';
import { forEachWorkspace } from '../workspaces/forEachWorkspace.ts';
import { findDueWorkspaces } from './backlog.ts';
import { domainOf, isReservedName } from './domainRow.ts';
import { storedDomainSubject } from './runLiveCheck.ts';
import type { LiveChecks } from './liveChecks.ts';
import { readRecords } from './store.ts';

/** What the job of rechecks needs. `now` is milliseconds since the epoch. */
export type RecheckDependencies = {
  database: Database;
  now: () => number;
  checks: LiveChecks;
  log: Log;
};

/** At the same time in a workspace. Half of what a process can check, so that users need not wait. */
const AT_ONCE = 2;
/** Milliseconds after which a claimed domain is due again, if the process ended during its check. */
const CLAIM = 10 * 60_000;
/** Milliseconds between two searches for due domains. */
const PAUSE = 10_000;
const FAILURE = 'domains could not be checked again';

/** Rechecks domains when they are due, until `signal` aborts. Never rejects: errors are logged, and the job goes on. */
export async function recheckDomains(job: RecheckDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await recheckDue(job, signal).catch((error: unknown) => {
      job.log.error({ err: error }, FAILURE);
    });
    // Only the signal ends the pause early.
    await delay(PAUSE, null, { signal, ref: false }).catch(() => {});
  }
}

/**
 * Rechecks all due domains, a few of each workspace in turn, so that a large one delays no other. One whose domains cannot be claimed,
 * because it is being written to, has its turn in the next search.
 */
export async function recheckDue(job: RecheckDependencies, signal: AbortSignal): Promise<void> {
  const failed = new Set<WorkspaceId>();
  while (!signal.aborted) {
    const due = (await findDueWorkspaces(job.database, job.now())).filter(({ id }) => !failed.has(id));
    if (due.length === 0) return;
    const onError = (error: unknown, { id, uuid }: Workspace) => {
      failed.add(id);
      job.log.error({ err: error, workspace: uuid }, FAILURE);
    };
    await forEachWorkspace(due, { signal, onError }, async (workspace) => {
      const domains = await claimDue(workspace, job.database, job.now());
      await Promise.all(domains.map((domain) => recheck(job, workspace, domain, signal)));
    });
  }
}

async function recheck(
  { checks, database, log }: RecheckDependencies,
  workspace: Workspace,
  domain: Domain,
  signal: AbortSignal,
): Promise<void> {
  if (isReservedName(domain.name)) return;
  try {
    // Skipped when the queue is full. The domain is due again soon.
    for await (const _ of checks.follow(storedDomainSubject(workspace, database, domain), signal) ?? []);
  } catch (error) {
    log.error({ err: error, workspace: workspace.uuid, domain: domain.name }, 'a domain could not be checked again');
  }
}

/**
 * Claims the domains that are due longest, by moving their next check forward: no other process claims them. The check
 * then stores the right time. If the process is killed, they become due again.
 */
async function claimDue(workspace: Workspace, db: Database, now: number): Promise<Domain[]> {
  return db.write(workspace, async (scope) => {
    const rows = await scope
      .update('domains')
      .set({ next_check_at: now + CLAIM })
      .where('next_check_at', '<=', now)
      .where('uuid', 'in', (all) =>
        all
          .selectFrom('domains')
          .select('uuid')
          .where('workspace_id', '=', workspace.id)
          .where('next_check_at', '<=', now)
          .orderBy('next_check_at')
          .limit(AT_ONCE),
      )
      .returningAll()
      .execute();
    const records = await readRecords(scope, rows);
    return rows.map((row) => domainOf(row, records.get(row.uuid) ?? []));
  });
}
