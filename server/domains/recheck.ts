import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { Log } from '../settings/log.ts';
import type { Workspace } from '../database/workspace.ts';
import type { WorkspaceId } from '../database/schema/tables.ts';
import { forEachWorkspace } from '../workspaces/forEachWorkspace.ts';
import { findDueWorkspaces } from './backlog.ts';
import { type LiveChecks, storedDomainSubject } from './liveChecks.ts';
import { domainToCheck, type DomainToCheck, readRecords } from './store.ts';

/** `now` is milliseconds since the epoch. */
export type RecheckDependencies = {
  database: Database;
  now: () => number;
  checks: LiveChecks;
  log: Log;
};

/** In a workspace. Half of what a process can check, so that users needn't wait. */
const AT_ONCE = 2;
/** Milliseconds after which a claimed domain is due again if the process has died. */
const CLAIM = 10 * 60_000;
/** Milliseconds between two searches for due domains. */
const PAUSE = 10_000;
const FAILURE = 'recheck of domains failed';

/** Rechecks due domains until `signal` aborts. Never rejects: errors are logged. */
export async function recheckDomains(job: RecheckDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await recheckDue(job, signal).catch((error: unknown) => {
      job.log.error({ err: error }, FAILURE);
    });
    // Only the signal ends the pause early.
    await delay(PAUSE, null, { signal, ref: false }).catch(() => {});
  }
}

/** Rechecks all due domains, a few of each workspace in turn. A workspace that can't be written to waits for the next search. */
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
  { domain, sendsBulk }: DomainToCheck,
  signal: AbortSignal,
): Promise<void> {
  try {
    // Skipped if the queue is full: the domain is due again soon.
    for await (const _ of checks.follow(storedDomainSubject(workspace, database, { domain, sendsBulk }), signal) ?? []);
  } catch (error) {
    log.error({ err: error, workspace: workspace.uuid, domain: domain.name }, 'recheck of a domain failed');
  }
}

/** Claims the domains that are due longest: their next check moves ahead until the check stores the right time. */
async function claimDue(workspace: Workspace, db: Database, now: number): Promise<DomainToCheck[]> {
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
    return rows.map((row) => domainToCheck(row, records.get(row.uuid) ?? []));
  });
}
