import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { SERVICE } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import type { Workspace } from '../database/workspace.ts';
import type { Log } from '../settings/log.ts';
import { forEachWorkspace } from '../workspaces/forEachWorkspace.ts';
import { findWorkspaces, type Found } from '../workspaces/store.ts';
import { runRetention } from './run.ts';

/** Milliseconds between two looks for workspaces of which a run is due, or was left by a process. */
const PAUSE = 60_000;
const FAILURE = "old events and log entries couldn't be deleted";

type JobDependencies = { database: Database; now: () => number; log: Log };

/** Until `signal` aborts. Never rejects: errors are logged. */
export async function deleteOldData(job: JobDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deleteOldDataOnce(job, signal).catch((error: unknown) => job.log.error({ err: error }, FAILURE));
    await delay(PAUSE, null, { signal, ref: false }).catch(() => {});
  }
}

export async function deleteOldDataOnce({ database, now, log }: JobDependencies, signal: AbortSignal): Promise<void> {
  const due = sql<Found>`
    select workspace_id from retention where next_at <= ${now()} or run_line is not null`;
  const workspaces = await findWorkspaces(database, due, { isLong: false, isSuspendedToo: true });
  const onError = (error: unknown, { uuid }: Workspace) => log.error({ err: error, workspace: uuid }, FAILURE);
  await forEachWorkspace(workspaces, { signal, onError }, async (workspace) => {
    await runRetention(workspace, database, { now, author: SERVICE, signal });
  });
}
