import { sql } from 'kysely';
import type { ActorKind } from '#contract/change.ts';
import type { SuppressionReason } from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';
import type { Scope, ScopedId } from '../../database/scope.ts';
import { defineScopedStatement } from '../../database/statement.ts';

/** The run may not do this, or not yet. Nothing was changed. */
export class RunError extends Error {
  override readonly name = 'RunError';
  readonly status: 403 | 404 | 409;

  constructor(status: 403 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}

/** More contacts than this number wait for approval; null if the workspace asks for none. */
export type ApprovalAbove = number | null;

/** A token doesn't say who holds it, so it could approve what it started. */
export const noApproval = (above: ApprovalAbove) =>
  new RunError(
    403,
    `A token started this run${above === null ? '' : ` of more than ${above} contacts`}, so no one can approve it: start it again in the console, signed in with an account.`,
  );

export const needsApproval = (above: ApprovalAbove, contacts: number) => above !== null && contacts > above;

/** Null where it wasn't said, and of a run that the service doesn't keep. */
type RunReason = { reason: SuppressionReason | null; ticket: string | null };

type CheckedRun = RunReason & {
  approval_above: ApprovalAbove;
  /** All entries while some are missing. Null for a run that the service doesn't keep, and for an import. */
  contacts: number | null;
  approved_at: number | null;
  /** Of who started it. */
  actor_kind: ActorKind | null;
  members: number;
  /** Whether an undo of it has begun. */
  is_undone: number;
  /** Whether it unsubscribed the contact, nobody did again since, and no later run has it: one that is whole, approved and not undone. */
  has_unsubscribed: number;
};

const selectRun = defineScopedStatement(
  (id: ScopedId, run: string, contact: string) => sql<CheckedRun>`
    select approval_above, case
      when runs.imported is not null then null
      when runs.received < runs.entries then runs.entries else runs.contact_count end as contacts, approved_at, actor_kind, reason, ticket, (
      select count(*) from run_contacts where workspace_id = ${id} and run = ${run} and contact_uuid = ${contact}
    ) as members, (
      select count(*) from (
        select 1 from changes where workspace_id = ${id} and run = ${run} and subscribed = 1 limit 1) as undone
    ) as is_undone, (
      select count(*) from contacts join changes
        on changes.workspace_id = contacts.workspace_id and changes.number = contacts.suppression_line
      where contacts.workspace_id = ${id} and contacts.uuid = ${contact} and changes.run = ${run} and changes.subscribed = 0
        and not exists (
          select 1 from changes as later where later.workspace_id = ${id} and later.contact_uuid = ${contact}
            and later.contact_number > changes.contact_number and later.action in ('unsubscribe', 'unsubscribe_again'))
        and not exists (
          select 1 from run_contacts as listed
            join runs as other on other.workspace_id = listed.workspace_id and other.uuid = listed.run
          where listed.workspace_id = ${id} and listed.contact_uuid = ${contact} and listed.run <> ${run}
            and other.created_at >= runs.created_at and other.received = other.entries
            and (other.approved_at is not null or coalesce(other.contact_count <= approval_above, true))
            and not exists (
              select 1 from changes as undone
              where undone.workspace_id = ${id} and undone.run = listed.run and undone.subscribed = 1))
    ) as has_unsubscribed
    from workspace_heads as head left join runs on runs.workspace_id = head.workspace_id and runs.uuid = ${run}
    where head.workspace_id = ${id}`,
);

/** Other contacts that the run has unsubscribed, of which `limit` are enough. */
const countOthers = defineScopedStatement(
  (id: ScopedId, run: string, contact: string, limit: number) => sql<{ others: number }>`
    select count(*) as others from (
      select distinct contact_uuid from changes
      where workspace_id = ${id} and run = ${run} and subscribed = 0 and contact_uuid <> ${contact}
      limit cast(${limit} as integer)) as unsubscribed`,
);

/**
 * Throws a `RunError` if the run may not change the subscription of the contact: it's kept without this contact, it
 * would undo what it didn't do, its undo has begun, or it's for more contacts than a run without approval. In the transaction of the change, so that nobody gets past it. Gives why the run was started.
 */
export async function checkRun(scope: Scope, run: string, contact: string, subscribed: boolean): Promise<RunReason> {
  const { approval_above, contacts, approved_at, actor_kind, members, is_undone, has_unsubscribed, ...why } = must(
    (await selectRun(scope, run, contact))[0],
  );
  if (contacts === null) {
    if (subscribed || approval_above === null) return why;
    const { others } = must((await countOthers(scope, run, contact, approval_above))[0]);
    if (others < approval_above) return why;
    throw new RunError(
      403,
      `A run of more than ${approval_above} contacts needs approval by a second person: start it in the console, signed in with an account.`,
    );
  }
  if (members === 0) throw new RunError(409, 'This contact is not in the run.');
  if (subscribed && has_unsubscribed === 0) {
    throw new RunError(409, 'The run did not unsubscribe this contact, or somebody or a later run did too.');
  }
  if (!subscribed && is_undone > 0) throw new RunError(403, 'This run was undone, so it unsubscribes nobody any more.');
  if (subscribed || approved_at !== null || !needsApproval(approval_above, contacts)) return why;
  if (actor_kind !== 'person') throw noApproval(approval_above);
  throw new RunError(
    403,
    `This run waits for approval: it has ${contacts} contacts, and above ${approval_above} a second person approves it.`,
  );
}
