import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { RunCounts } from '#contract/runs/runCounts.ts';
import { STRONG_REASONS, type SuppressionReason } from '#contract/suppressions/suppression.ts';
import { keyOf, type LogAuthor } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import type { Scope, ScopedId } from '../../database/scope.ts';
import type { Workspace } from '../../database/workspace.ts';
import { needsApproval } from './checkRun.ts';
import { isLeftFor, isRecorded, parseImport, type RunRow } from './listRuns.ts';
import { readApprovalAbove } from './runs.ts';

/**
 * What needs somebody: also runs that only somebody else may finish. The run `without` isn't counted as unfinished. States as `describeRun` has them, without its counts: with those,
 * 10,000 runs took 58 seconds on PostgreSQL.
 */
export function countUnfinished(
  workspace: Workspace,
  db: Database,
  { actor }: LogAuthor,
  without?: string,
): Promise<RunCounts> {
  return db.read(
    workspace,
    async (scope) => {
      const above = await readApprovalAbove(scope);
      const counts = { to_approve: 0, unfinished: await countOpenUndos(scope) };
      for (const run of await findUnfinished(scope)) {
        const isWaiting =
          run.received >= run.entries && run.approved_at === null && needsApproval(above, run.contact_count);
        if (!isWaiting) counts.unfinished += Number(run.uuid !== without?.toLowerCase());
        else if (isApprovedBy(run, actor)) counts.to_approve++;
      }
      return counts;
    },
    { isLong: true },
  );
}

/** Whether `actor` may approve the run (`approveRun`). */
const isApprovedBy = (row: Pick<RunRow, 'actor_kind' | 'actor'>, actor: LogAuthor['actor']): boolean =>
  row.actor_kind === 'person' && actor.kind === 'person' && row.actor !== keyOf(actor);

/** Imports of which something is still to be set back: a line that is the first of its contact. */
async function countOpenUndos(scope: Scope): Promise<number> {
  const undone = await scope
    .select('runs')
    .select(['uuid', 'imported'])
    .where('imported', 'like', '%"undone":true%')
    .execute();
  let count = 0;
  for (const row of undone) {
    const to = parseImport(row)?.undone_to ?? 0;
    const ofRun = (lines: string) => sql`
      select 1 from changes as ${sql.ref(lines)} where ${sql.ref(`${lines}.workspace_id`)} = ${scope.id}
        and ${sql.ref(`${lines}.run`)} = ${row.uuid} and ${sql.ref(`${lines}.action`)} = 'import'`;
    const left = await scope.run(sql`
      ${ofRun('line')} and line.number > ${to}
        and not exists (${ofRun('former')} and former.number <= ${to} and former.contact_uuid = line.contact_uuid) limit 1`);
    count += left.length;
  }
  return count;
}

type UnfinishedRun = Pick<
  RunRow,
  'uuid' | 'actor_kind' | 'actor' | 'entries' | 'received' | 'contact_count' | 'approved_at'
>;

/** Without those whose undo has begun: of an import that's another count, and of other runs the undo is all there is to do. */
function findUnfinished(scope: Scope): Promise<UnfinishedRun[]> {
  const { id } = scope;
  const isOfReason = (reason: SuppressionReason) =>
    sql`(coalesce(runs.reason, '') = ${reason} and ${hasLeft(id, reason)})`;
  // PostgreSQL reads the whole log for `not exists`, and tries each reason where one is null.
  return scope.run(sql<UnfinishedRun>`
    select uuid, actor_kind, actor, entries, received, contact_count, approved_at from runs
    where workspace_id = ${id} and (received < entries or contact_count > 0)
      and not (imported is not null and imported like '%"undone":true%')
      and (imported is not null or (select 1 ${changed(id, 1)} limit 1) is null)
      and (received < entries or (
        contact_count > (select count(*) from (select 1 ${changed(id, 0)} group by changes.contact_uuid) as own) and (
          (coalesce(runs.reason, '') not in (${sql.join(STRONG_REASONS)}) and ${hasLeft(id, null)})
          or ${sql.join(STRONG_REASONS.map(isOfReason), sql` or `)})))`);
}

const changed = (id: ScopedId, subscribed: 0 | 1) => sql`
  from changes where changes.workspace_id = ${id} and changes.run = runs.uuid and changes.subscribed = ${sql.lit(subscribed)}`;

/** Whether the run still has to unsubscribe a contact, or to record its reason of it. */
function hasLeft(id: ScopedId, reason: SuppressionReason | null): RawBuilder<SqlBool> {
  // Not by the run: the log of a contact is short, that of a run is not. Not by a join: without statistics it began with all contacts.
  const saidAgain = sql`
    select 1 from changes as again where again.workspace_id = ${id} and again.contact_uuid = run_contacts.contact_uuid
      and coalesce(again.run, '') = runs.uuid and again.action || '' = 'unsubscribe_again'`;
  return sql<SqlBool>`exists (
    select 1 from run_contacts where run_contacts.workspace_id = ${id} and run_contacts.run = runs.uuid
      and (
        select case when ${isLeftFor(reason)} then 1 else 0 end from contacts
        where contacts.workspace_id = ${id} and contacts.uuid = run_contacts.contact_uuid) = 1
      and not exists (select 1 ${changed(id, 0)} and changes.contact_uuid = run_contacts.contact_uuid)
      and not exists (select 1 from changes as recorded where recorded.workspace_id = ${id} and recorded.run = runs.uuid
        and recorded.contact_uuid = run_contacts.contact_uuid and ${isRecorded('recorded')})
      ${reason === null ? sql`and not exists (${saidAgain})` : sql``})`;
}
