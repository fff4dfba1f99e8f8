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

/** Destinations that a process works on at the same time, of one workspace and of all: slow ones don't hold up the others. */
const OWN_AT_ONCE = 10;
const ALL_AT_ONCE = 100;

/** Plans and delivers messages until `signal` aborts. Never rejects: errors are logged. */
export async function notify(job: NotifyDependencies, signal: AbortSignal): Promise<void> {
  const running = new Map<string, { owner: string; done: Promise<void> }>();
  while (!signal.aborted) {
    await notifyOnce(job, running, signal).catch((error: unknown) => {
      job.log.error({ err: error }, 'messages not sent');
    });
    // Only the signal ends the pause early.
    await delay(PAUSE, null, { signal, ref: false }).catch(() => {});
  }
  await Promise.all(Array.from(running.values(), ({ done }) => done));
}

/** Plans what is due, and begins to deliver. `running`: destinations by their UUID. */
async function notifyOnce(
  job: NotifyDependencies,
  running: Map<string, { owner: string; done: Promise<void> }>,
  signal: AbortSignal,
): Promise<void> {
  const { database, now } = job;
  for (const workspace of await findWorkspacesToPlan(database, now())) {
    await ofWorkspace(job, workspace, async () => {
      while ((await planWorkspace(workspace, database, now())) && !signal.aborted);
    });
  }
  for (const workspace of await findWorkspaces(database, hasDue(now()))) {
    const due = await database.read(workspace, (scope) =>
      scope.select('deliveries').select('destination_uuid').distinct().where('next_at', '<=', now()).execute(),
    );
    for (const { destination_uuid: uuid } of due) {
      const ofOwner = [...running.values()].filter(({ owner }) => owner === workspace.uuid).length;
      if (running.has(uuid) || ofOwner >= OWN_AT_ONCE || running.size >= ALL_AT_ONCE) continue;
      const done = ofWorkspace(job, workspace, async () => {
        while ((await deliverDue(job, workspace, uuid)) && !signal.aborted);
      }).finally(() => running.delete(uuid));
      running.set(uuid, { owner: workspace.uuid, done });
    }
  }
}

/** Never rejects: errors are logged. */
async function ofWorkspace({ log }: NotifyDependencies, { uuid }: Workspace, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) =>
    log.error({ err: error, workspace: uuid }, 'messages of a workspace not sent'),
  );
}

const hasDue = (now: number) => sql<SqlBool>`suspended = 0 and exists (
  select 1 from deliveries where workspace_id = workspaces.id and next_at <= ${now})`;

/** Those with messages to plan, with changes of contacts to read, or with a summary that is due. */
function findWorkspacesToPlan(database: Database, now: number): Promise<Workspace[]> {
  const of = sql`workspace_id = workspaces.id`;
  return findWorkspaces(
    database,
    sql<SqlBool>`suspended = 0 and (
      exists (select 1 from messages where ${of} and planned_at is null)
      or exists (select 1 from destinations where ${of} and disabled_at is null and (
        summary_at <= ${now} or (log_number < log_count and rules like '%"contact_changes":true%'))))`,
  );
}
