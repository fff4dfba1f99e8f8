import { setTimeout as delay } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { RUN_DAYS } from '#contract/runs/runs.ts';
import type { Database } from '../../database/database.ts';
import type { Scope, WorkspaceTable } from '../../database/scope.ts';
import { TABLE_DESCRIPTIONS } from '../../database/schema/tableDescriptions.ts';
import type { Workspace } from '../../database/workspace.ts';
import type { Log } from '../../settings/log.ts';
import { forEachWorkspace } from '../../workspaces/forEachWorkspace.ts';
import { type Found, findWorkspaces } from '../../workspaces/store.ts';
import { findDomainByUuid } from '../store.ts';
import { updateStanding } from '../updateStanding.ts';

/** `days`: after these, what is over is deleted. `now` is milliseconds since the epoch. */
export type RetentionDependencies = { database: Database; now: () => number; log: Log; days: number };

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Rows of a table in one transaction, so that the writes of others come between. */
const BATCH_SIZE = 250;
const FAILURE = 'old history could not be deleted';

/** Every hour, until `signal` aborts. Never rejects: errors are logged. */
export async function deleteOldHistory(job: RetentionDependencies, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await deleteHistoryOnce(job, signal).catch((error: unknown) => job.log.error({ err: error }, FAILURE));
    // Only the signal ends the pause early.
    await delay(HOUR, null, { signal, ref: false }).catch(() => {});
  }
}

export async function deleteHistoryOnce(
  { database, now, log, days }: RetentionDependencies,
  signal: AbortSignal,
): Promise<void> {
  const workspaces = await findWorkspaces(database, sql<Found>`select id as workspace_id from workspaces`, {
    isLong: false,
    isSuspendedToo: true,
  });
  const onError = (error: unknown, { uuid }: Workspace) => log.error({ err: error, workspace: uuid }, FAILURE);
  await forEachWorkspace(workspaces, { signal, onError }, async (workspace) => {
    await endExpiredAcceptances(workspace, database, now());
    for (const [table, condition] of [...oldRows(now() - days * DAY), ...oldRuns(now() - RUN_DAYS * DAY)]) {
      let deleted = BATCH_SIZE;
      while (deleted === BATCH_SIZE && !signal.aborted) {
        deleted = await database.write(workspace, (scope) => deleteBatch(scope, table, condition(scope)));
      }
    }
  });
}

type OldRows = readonly [table: WorkspaceTable, condition: (scope: Scope) => RawBuilder<unknown>];

/** What is over since before this time; each table before those that its rows refer to. */
function oldRows(before: number): OldRows[] {
  // Its end is told to those that were told of it.
  const isOld = ({ id }: Scope) => sql`created_at < ${before} and (incident_uuid is null or incident_uuid not in (
    select uuid from incidents where workspace_id = ${id} and state <> 'closed'))`;
  return [
    ['domain_spans', () => sql`ended_at < ${before}`],
    ['incidents', () => sql`closed_at < ${before}`],
    ['acceptances', () => sql`ended_at < ${before}`],
    [
      'deliveries',
      (scope) => sql`message_uuid in (
        select uuid from messages where workspace_id = ${scope.id} and ${isOld(scope)})`,
    ],
    ['messages', isOld],
    ['shared_links', () => sql`expires_at < ${before}`],
  ];
}

/** Bulk runs that began before this time. */
const oldRuns = (before: number): OldRows[] => [
  [
    'run_contacts',
    ({ id }) => sql`run in (select uuid from runs where workspace_id = ${id} and created_at < ${before})`,
  ],
  ['runs', () => sql`created_at < ${before}`],
];

async function deleteBatch(scope: Scope, table: WorkspaceTable, condition: RawBuilder<unknown>): Promise<number> {
  const columns: readonly string[] = TABLE_DESCRIPTIONS[table].primaryKey;
  const key = sql.join(columns.map((column) => sql.ref(column)));
  const deleted = await scope.run(sql`
    delete from ${sql.table(table)} where workspace_id = ${scope.id} and (${key}) in (
      select ${key} from ${sql.table(table)} where workspace_id = ${scope.id} and ${condition}
      limit ${sql.lit(BATCH_SIZE)})
    returning 1 as deleted`);
  return deleted.length;
}

/** A check ends them too. Domains that aren't checked have none. */
async function endExpiredAcceptances(workspace: Workspace, database: Database, now: number): Promise<void> {
  const isExpired = sql<boolean>`ended_at is null and until <= ${now}`;
  const found = await database.read(workspace, (scope) =>
    scope.select('acceptances').select('domain_uuid').where(isExpired).limit(1).execute(),
  );
  if (found.length === 0) return;
  await database.write(workspace, async (scope) => {
    const rows = await scope
      .update('acceptances')
      .set((row) => ({ ended_at: row.ref('until') }))
      .where(isExpired)
      .returning('domain_uuid')
      .execute();
    for (const uuid of new Set(rows.map(({ domain_uuid }) => domain_uuid))) {
      const domain = await findDomainByUuid(scope, uuid);
      if (domain !== null) await updateStanding(scope, domain);
    }
  });
}
