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

/** Plans and delivers messages until `signal` aborts. Never rejects: errors are logged. */
export async function notify(job: NotifyDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await notifyDue(job, signal).catch((error: unknown) => job.log.error({ err: error }, 'messages not sent'));
    // Only the signal ends the pause early.
    await delay(PAUSE, null, { signal, ref: false }).catch(() => {});
  }
}

/** Plans and delivers what is due, in all workspaces at the same time. */
export async function notifyDue(job: NotifyDependencies, signal: AbortSignal): Promise<void> {
  const workspaces = await findWorkspacesToNotify(job.database, job.now());
  await Promise.all(workspaces.map((workspace) => notifyWorkspace(job, workspace, signal)));
}

async function notifyWorkspace(job: NotifyDependencies, workspace: Workspace, signal: AbortSignal): Promise<void> {
  try {
    await planWorkspace(workspace, job.database, job.now());
    while (!signal.aborted && (await deliverDue(job, workspace)));
  } catch (error) {
    job.log.error({ err: error, workspace: workspace.uuid }, 'messages of a workspace not sent');
  }
}

/** Those with messages to plan or deliver, with changes of contacts to read, or with a destination that wants summaries. */
function findWorkspacesToNotify(database: Database, now: number): Promise<Workspace[]> {
  const of = sql`workspace_id = workspaces.id`;
  return findWorkspaces(
    database,
    sql<SqlBool>`suspended = 0 and (
      exists (select 1 from messages where ${of} and planned_at is null)
      or exists (select 1 from deliveries where ${of} and next_at <= ${now})
      or exists (select 1 from destinations where ${of} and disabled_at is null and (
        log_number < log_count or rules like '%"digest":true%' or rules like '%"heartbeat":true%')))`,
  );
}
