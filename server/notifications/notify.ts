import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Log } from '../settings/log.ts';
import { findWorkspaces, type Found } from '../workspaces/store.ts';
import { deliverDue, type DeliveryContext } from './deliver.ts';
import { planWorkspace } from './planning/planWorkspace.ts';
import { findSetBackWorkspaces, setTimesBack } from './setBack.ts';

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
export async function notifyOnce(
  job: NotifyDependencies,
  running: Map<string, { owner: string; done: Promise<void> }>,
  signal: AbortSignal,
): Promise<void> {
  const { database, now } = job;
  for (const workspace of await findSetBackWorkspaces(database, now())) {
    await ofWorkspace(job, workspace, () => database.write(workspace, (scope) => setTimesBack(scope, now())));
  }
  for (const workspace of await findWorkspacesToPlan(database, now())) {
    await ofWorkspace(job, workspace, async () => {
      while ((await planWorkspace(workspace, database, now())) && !signal.aborted);
    });
  }
  for (const workspace of await findWorkspacesToDeliver(database, now())) {
    const due = await database.read(workspace, (scope) =>
      scope.select('deliveries').select('destination_uuid').distinct().where('next_at', '<=', now()).execute(),
    );
    for (const { destination_uuid: uuid } of due) {
      const ofOwner = [...running.values()].filter(({ owner }) => owner === workspace.uuid).length;
      if (running.has(uuid) || ofOwner >= OWN_AT_ONCE || running.size >= ALL_AT_ONCE) continue;
      const done = ofWorkspace(job, workspace, async () => {
        while ((await deliverDue(job, workspace, uuid, signal)) && !signal.aborted);
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

// Short reads: each part finds its rows in an index of few rows, however many workspaces there are.

function findWorkspacesToDeliver(database: Database, now: number): Promise<Workspace[]> {
  const due = sql<Found>`
    select distinct workspace_id from deliveries where next_at is not null and next_at <= ${now}`;
  return findWorkspaces(database, due, { isLong: false });
}

/** Those with messages to plan, with changes of contacts to read, or with a summary that is due. */
function findWorkspacesToPlan(database: Database, now: number): Promise<Workspace[]> {
  const toPlan = sql<Found>`
    select workspace_id from messages where planned_at is null
    union select destinations.workspace_id from destinations
      join workspace_heads as head on head.workspace_id = destinations.workspace_id
    where summary_at <= ${now} or (rules like '%"contact_changes":true%' and log_number < log_count)`;
  return findWorkspaces(database, toPlan, { isLong: false });
}
