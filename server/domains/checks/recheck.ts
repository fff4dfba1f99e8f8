import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../../database/database.ts';
import type { Log } from '../../settings/log.ts';
import type { Workspace } from '../../database/workspace.ts';
import type { WorkspaceId } from '../../database/schema/tables.ts';
import { forEachWorkspace } from '../../workspaces/forEachWorkspace.ts';
import { findDueWorkspaces } from './backlog.ts';
import { bringChecksForward, findLateWorkspaces } from './checkTimes.ts';
import { followStored, type StoredChecks } from './liveChecks.ts';
import { domainToCheck, type DomainToCheck, readRecords } from '../store.ts';

/** `now` is milliseconds since the epoch. */
export type RecheckDependencies = {
  stored: StoredChecks;
  now: () => number;
  log: Log;
};

/** Half of what a process can check, so that users needn't wait. */
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

/** Rechecks all due domains, one of each workspace in turn. A workspace that can't be written to waits for the next search. */
export async function recheckDue(job: RecheckDependencies, signal: AbortSignal): Promise<void> {
  const failed = new Set<WorkspaceId>();
  const onError = (error: unknown, { id, uuid }: Workspace) => {
    // Both workers may wait for it.
    if (failed.has(id)) return;
    failed.add(id);
    job.log.error({ err: error, workspace: uuid }, FAILURE);
  };
  const recheckInTurn = async () => {
    while (!signal.aborted) {
      const due = (await findDueWorkspaces(job.stored.database, job.now())).filter(({ id }) => !failed.has(id));
      if (due.length === 0) return;
      await forEachWorkspace(due, { signal, onError }, (workspace) => recheckNext(job, workspace, signal));
    }
  };
  const late = await findLateWorkspaces(job.stored.database, job.now());
  await forEachWorkspace(late, { signal, onError }, (workspace) =>
    job.stored.database.write(workspace, (scope) => bringChecksForward(scope, job.now())),
  );
  // One that waits for a name server doesn't delay the others.
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, recheckInTurn));
  for (const one of ended) if (one.status === 'rejected') throw one.reason;
}

async function recheckNext(
  { stored, now, log }: RecheckDependencies,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<void> {
  const claimed = await claimDue(workspace, stored.database, now());
  if (claimed === null) return;
  try {
    // Skipped if the queue is full: the domain is due again soon.
    for await (const _ of followStored(stored, workspace, claimed, signal) ?? []);
  } catch (error) {
    log.error({ err: error, workspace: workspace.uuid, domain: claimed.domain.name }, 'recheck of a domain failed');
  }
}

/**
 * How late a check is, as a share of the time since the last one: where not all are in time, all pauses become longer by
 * the same factor, so that a new fault is confirmed before what is right is checked again.
 */
const lateness = (now: number) => sql<number>`
  (${now} - next_check_at) * 1.0 / (abs(${now} - coalesce(checked_at, 0)) + 1)`;

/** Claims a due domain: its next check moves ahead until the check stores the right time. Null if none is due. */
async function claimDue(workspace: Workspace, db: Database, now: number): Promise<DomainToCheck | null> {
  return db.write(workspace, async (scope) => {
    const row = await scope
      .update('domains')
      .set({ next_check_at: now + CLAIM })
      .where('next_check_at', '<=', now)
      .where('uuid', '=', (all) =>
        all
          .selectFrom('domains')
          .select('uuid')
          .where('workspace_id', '=', workspace.id)
          .where('next_check_at', '<=', now)
          .orderBy(lateness(now), 'desc')
          .limit(1),
      )
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : domainToCheck(row, (await readRecords(scope, [row])).get(row.uuid) ?? []);
  });
}
