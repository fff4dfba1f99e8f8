import { type RawBuilder, sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '../database/database.ts';
import type { Scope, WorkspaceTable } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { findWorkspaces, type Found } from '../workspaces/store.ts';

// An erasure may leave so many events for later that deleting them at once would keep others waiting. They can't be seen without
// their contact. A service continues after a restart, and so does each command.

/** Rows of one transaction, which takes some tens of milliseconds. */
const ROWS_AT_ONCE = 1_000;
/** Milliseconds between two transactions. Another process that waits for the lock of a file asks for it every four. */
const PAUSE_MS = 12;

/** Tables with rows of a contact, and what orders these. */
const TRACES = {
  events: ['created_at', 'uuid'],
  event_names: ['event_name'],
} as const satisfies Partial<Record<WorkspaceTable, readonly string[]>>;
type TraceTable = keyof typeof TRACES;

export type FinishOptions = {
  now: () => number;
  signal?: AbortSignal;
  /** Called with the number of rows that were deleted since the call before. */
  onDeleted?: (rows: number) => void;
};

/** Deletes all that is left of a contact, at once. */
export async function deleteTraces(scope: Scope, contactId: number): Promise<void> {
  for (const table of Object.keys(TRACES) as TraceTable[]) {
    await scope.delete(table).where('contact_id', '=', contactId).execute();
  }
}

/** The workspaces that have something left of an erased contact. */
export function findUnfinishedWorkspaces(db: Database): Promise<Workspace[]> {
  const unfinished = sql<Found>`select distinct workspace_id from erasures where finished_at is null`;
  return findWorkspaces(db, unfinished, { isSuspendedToo: true });
}

/** Deletes what is left of the erased contacts of a workspace, in short transactions. */
export async function finishErasures(workspace: Workspace, db: Database, options: FinishOptions): Promise<void> {
  const { now, signal, onDeleted = () => {} } = options;
  const unfinished = await db.read(
    workspace,
    (scope) =>
      scope.select('erasures').select('contact_id').where('finished_at', 'is', null).orderBy('contact_id').execute(),
    { isSingle: true },
  );
  for (const { contact_id: id } of unfinished) {
    for (const table of Object.keys(TRACES) as TraceTable[]) {
      let after: Position | null = null;
      do {
        if (signal?.aborted) return;
        const [deleted, end]: Deleted = await db.write(workspace, (scope) => deleteNext(scope, table, id, after));
        onDeleted(deleted);
        after = end;
        if (after !== null) await delay(PAUSE_MS);
      } while (after !== null);
    }
    await db.write(workspace, (scope) =>
      scope
        .update('erasures')
        .set({ finished_at: now() })
        .where('contact_id', '=', id)
        .where('finished_at', 'is', null)
        .execute(),
    );
  }
}

type Position = readonly unknown[];
type Deleted = [deleted: number, end: Position | null];

/** Deletes the next rows after `after`, behind which the index may still have those that were deleted. The end is null where there are no more. */
async function deleteNext(
  scope: Scope,
  table: TraceTable,
  contactId: number,
  after: Position | null,
): Promise<Deleted> {
  const keys = sql.join(TRACES[table].map((column) => sql.ref(column)));
  const rows = (from: Position | null) => sql`
    from ${sql.table(table)} where workspace_id = ${scope.id} and contact_id = ${contactId}
    ${from === null ? sql`` : sql`and (${keys}) > (${sql.join(from)})`}`;
  const [row] = await scope.run(sql<Record<string, unknown>>`
    select ${keys} ${rows(after)} order by ${keys} limit 1 offset ${sql.lit(ROWS_AT_ONCE - 1)}`);
  const end = row === undefined ? null : TRACES[table].map((column) => row[column]);
  const until: RawBuilder<unknown> = end === null ? sql`` : sql`and (${keys}) <= (${sql.join(end)})`;
  const [counted] =
    end === null ? await scope.run(sql<{ count: number }>`select count(*) as count ${rows(after)}`) : [];
  await scope.run(sql`delete ${rows(after)} ${until}`);
  return [counted?.count ?? ROWS_AT_ONCE, end];
}
