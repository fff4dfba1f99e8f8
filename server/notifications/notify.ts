import { setTimeout as delay } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Log } from '../settings/log.ts';
import { findWorkspaces } from '../workspaces/store.ts';
import { deliverDue, type DeliveryContext } from './deliver.ts';
import { planWorkspace } from './planWorkspace.ts';

export type NotifyDependencies = DeliveryContext & { log: Log };

/** Milliseconds between two searches for messages. */
const PAUSE = 5_000;

/** Workspaces that a process works on at the same time. */
const AT_ONCE = 20;

/** Plans and delivers messages until `signal` aborts. Never rejects: errors are logged. */
export async function notify(job: NotifyDependencies, signal: AbortSignal): Promise<void> {
  const running = new Map<string, Promise<void>>();
  while (!signal.aborted) {
    try {
      const due = await findWorkspacesToNotify(job.database, job.now());
      for (const workspace of due.filter(({ uuid }) => !running.has(uuid)).slice(0, AT_ONCE - running.size)) {
        // One whose receivers are slow doesn't hold up the others.
        const work = notifyWorkspace(job, workspace, signal).finally(() => running.delete(workspace.uuid));
        running.set(workspace.uuid, work);
      }
    } catch (error) {
      job.log.error({ err: error }, 'messages not sent');
    }
    // Only the signal ends the pause early.
    await delay(PAUSE, null, { signal, ref: false }).catch(() => {});
  }
  await Promise.all(running.values());
}

/** Plans and delivers what is due in a workspace. Never rejects: errors are logged. */
export async function notifyWorkspace(
  job: NotifyDependencies,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<void> {
  try {
    do await planWorkspace(workspace, job.database, job.now());
    while ((await deliverDue(job, workspace)) && !signal.aborted);
  } catch (error) {
    job.log.error({ err: error, workspace: workspace.uuid }, 'messages of a workspace not sent');
  }
}

/** Those with messages to plan or deliver, with changes of contacts to read, or with a summary that is due. */
function findWorkspacesToNotify(database: Database, now: number): Promise<Workspace[]> {
  const of = sql`workspace_id = workspaces.id`;
  return findWorkspaces(
    database,
    sql<SqlBool>`suspended = 0 and (
      exists (select 1 from messages where ${of} and planned_at is null)
      or exists (select 1 from deliveries where ${of} and next_at <= ${now})
      or exists (select 1 from destinations where ${of} and disabled_at is null and (
        summary_at <= ${now} or (log_number < log_count and rules like '%"contact_changes":true%'))))`,
  );
}
