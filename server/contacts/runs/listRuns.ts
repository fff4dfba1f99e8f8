import { type RawBuilder, type Selectable, sql, type SqlBool } from 'kysely';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import { type BulkRun, type ImportOfRun, RUN_DAYS, type RunContact, type RunState } from '#contract/runs/runs.ts';
import {
  isStrongerReason,
  isStrongReason,
  SUPPRESSION_REASONS,
  type SuppressionReason,
} from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';
import { actorIn } from '../../database/changeLog/author.ts';
import type { Database } from '../../database/database.ts';
import type { Tables } from '../../database/schema/tables.ts';
import type { Scope } from '../../database/scope.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { nameContact } from '../identities/nameContact.ts';
import { needsApproval } from './checkRun.ts';

export type RunRow = Selectable<Tables['runs']>;

const DAY = 24 * 60 * 60_000;

/** Newest first. */
export function listRuns(workspace: Workspace, db: Database, query: CheckedListQuery): Promise<Page<BulkRun>> {
  return db.read(
    workspace,
    async (scope) => {
      const { run, digest } = query.filters;
      const all = () => {
        const runs = scope.select('runs');
        const named = typeof run === 'string' ? runs.where('uuid', '=', run.trim().toLowerCase()) : runs;
        return typeof digest === 'string' ? named.where('digest', '=', digest) : named;
      };
      const counted = await all()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await all()
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('uuid', 'desc')
        .limit(query.per_page)
        .offset((query.page - 1) * query.per_page)
        .execute();
      const data: BulkRun[] = [];
      for (const row of rows) data.push(await describeRun(scope, row));
      return { data, meta: createPageMeta(query, counted.total) };
    },
    { isLong: true },
  );
}

export async function findRun(scope: Scope, uuid: string): Promise<RunRow | null> {
  return (await scope.select('runs').selectAll().where('uuid', '=', uuid.toLowerCase()).executeTakeFirst()) ?? null;
}

/** The run with what came of it, by the log and its contacts. */
export async function describeRun(scope: Scope, row: RunRow): Promise<BulkRun> {
  const { approval_above } = await scope.select('workspace_heads').select('approval_above').executeTakeFirstOrThrow();
  const { unsubscribed, recorded, resubscribed } = await countChanged(scope, row.uuid);
  const isAll = unsubscribed + recorded >= row.contact_count;
  const { again, ...rest } = isAll ? { again: 0, already: 0, left: 0 } : await countRest(scope, row);
  const imported = await describeImport(scope, row);
  const undone = imported === null ? resubscribed > 0 : imported.undo !== null;
  const toUndo = (imported?.undo?.contacts ?? 0) - (imported?.undo?.done ?? 0);
  const isWaiting = row.approved_at === null && needsApproval(approval_above, row.contact_count);
  const { uuid, digest, reason, ticket, entries, received, missing, approved_at, approver } = row;
  return {
    uuid,
    state: decideState(row, { left: rest.left, undone, toUndo }, isWaiting),
    author: actorIn(row),
    started_at: timestamp(row.created_at),
    digest,
    reason,
    ticket,
    entries,
    received,
    missing,
    unsubscribed,
    resubscribed,
    recorded: recorded + again,
    ...rest,
    contacts: row.contact_count,
    approved_by:
      approver === null ? null : { kind: 'person', uuid: approver, name: row.approver_name, email: row.approver_email },
    approved_at: approved_at === null ? null : timestamp(approved_at),
    imported,
    deleted_at: timestamp(row.created_at + RUN_DAYS * DAY),
  };
}

/**
 * `ended`: its line is in the log. `undone`: its undo began, and has gone through the lines of the log to `undone_to`. `added_from`: the id of
 * the first contact that it could add; missing in older ones.
 */
export type StoredImport = Omit<ImportOfRun, 'undo'> & {
  ended: boolean;
  undone: boolean;
  undone_to?: number;
  added_from?: number;
};

export const parseImport = ({ imported }: Pick<RunRow, 'imported'>): StoredImport | null =>
  imported === null ? null : (JSON.parse(imported) as StoredImport);

async function describeImport(scope: Scope, row: RunRow): Promise<ImportOfRun | null> {
  const stored = parseImport(row);
  if (stored === null) return null;
  const { file, source, mapping, added, added_unsubscribed = 0, changed, unchanged, refused } = stored;
  const { undone, undone_to = 0 } = stored;
  const undo = undone ? await countUndo(scope, row.uuid, undone_to) : null;
  return { file, source, mapping, added, added_unsubscribed, changed, unchanged, refused, undo };
}

/** Each contact counts with its first line, with which an undo sets it back. */
async function countUndo(scope: Scope, run: string, to: number): Promise<NonNullable<ImportOfRun['undo']>> {
  const rows = await scope.run(sql<{ done: number; contacts: number }>`
    select cast(coalesce(sum(case when first <= ${to} then 1 else 0 end), 0) as bigint) as done, count(*) as contacts
    from (
      select min(number) as first from changes
      where workspace_id = ${scope.id} and run = ${run} and action = 'import' group by contact_uuid) as firsts`);
  return must(rows[0]);
}

/** `again`: unsubscribed before, and recorded again. */
type Rest = { again: number; already: number; left: number };

function decideState(
  { received, entries }: RunRow,
  { left, undone, toUndo }: { left: number; undone: boolean; toUndo: number },
  isWaiting: boolean,
): RunState {
  if (undone) return toUndo > 0 ? 'open' : 'undone';
  if (received < entries) return 'incomplete';
  if (left === 0) return 'finished';
  return isWaiting ? 'waiting' : 'open';
}

type ChangedCounts = { unsubscribed: number; resubscribed: number; recorded: number };

/** A line that records a stronger reason of somebody who was unsubscribed, as the index of them says it. */
export const isRecorded = (lines = 'changes') =>
  sql`${sql.ref(`${lines}.action`)} = 'unsubscribe' and ${sql.ref(`${lines}.subscribed`)} is null`;

/** Lines that record what the run says of somebody whose reason stays. A strong reason is recorded only where it's stronger. */
const actionAgain = ({ reason }: RunRow) =>
  isStrongReason(reason) ? sql<SqlBool>`1 = 0` : sql<SqlBool>`changes.action = 'unsubscribe_again'`;

export async function countChanged(scope: Scope, run: string): Promise<ChangedCounts> {
  const changed = (subscribed: 0 | 1) => sql`
    from changes where workspace_id = ${scope.id} and run = ${run} and subscribed = ${sql.lit(subscribed)}`;
  const rows = await scope.run(sql<ChangedCounts>`
    select (select count(distinct contact_uuid) ${changed(0)}) as unsubscribed,
      (select count(distinct contact_uuid) ${changed(1)}) as resubscribed,
      (select count(distinct contact_uuid) from changes as recorded where workspace_id = ${scope.id} and run = ${run}
        and ${isRecorded('recorded')} and not exists (
          select 1 ${changed(0)} and changes.contact_uuid = recorded.contact_uuid)) as recorded`);
  return must(rows[0]);
}

const sum = (value: RawBuilder<unknown>) => sql`cast(coalesce(sum(${value}), 0) as bigint)`;
const unlessAgain = (value: RawBuilder<unknown>) => sql`case when again.contact_uuid is null then ${value} else 0 end`;

/** SQL: whether a run with this reason has to change the contact, if it hasn't yet. */
export function isLeftFor(reason: SuppressionReason | null): RawBuilder<SqlBool> {
  if (!isStrongReason(reason)) return sql`contacts.subscribed = 1`;
  const kept = SUPPRESSION_REASONS.filter((other) => !isStrongerReason(reason, other));
  return sql`(contacts.subscribed = 1 or suppression_reason not in (${sql.join(kept)}))`;
}

/** Contacts that the run has not unsubscribed and for whom it recorded no stronger reason. */
async function countRest(scope: Scope, row: RunRow): Promise<Rest> {
  const { uuid: run, reason } = row;
  const ofRun = sql`from changes where changes.workspace_id = ${scope.id} and changes.run = ${run}`;
  const isLeft = sql`case when ${isLeftFor(reason)} then 1 else 0 end`;
  // Grouped, SQLite reads the few from their index: otherwise, for each contact, the log of the workspace.
  const contactsWith = (action: RawBuilder<unknown>) => sql`
    select changes.contact_uuid ${ofRun} and ${action} and changes.contact_uuid is not null group by changes.contact_uuid`;
  const rows = await scope.run(sql<Rest>`
    select count(again.contact_uuid) as again, ${sum(unlessAgain(sql`1 - ${isLeft}`))} as already,
      ${sum(unlessAgain(isLeft))} as "left"
    from run_contacts
      join contacts on contacts.workspace_id = run_contacts.workspace_id and contacts.uuid = run_contacts.contact_uuid
      left join (${contactsWith(actionAgain(row))}) as again on again.contact_uuid = run_contacts.contact_uuid
    where run_contacts.workspace_id = ${scope.id} and run = ${run}
      and not exists (select 1 ${ofRun} and changes.subscribed = 0 and changes.contact_uuid = run_contacts.contact_uuid)
      and run_contacts.contact_uuid not in (${contactsWith(isRecorded())})`);
  return must(rows[0]);
}

/** By UUID; null without such a run. */
export function listRunContacts(
  workspace: Workspace,
  db: Database,
  uuid: string,
  query: CheckedListQuery,
): Promise<Page<RunContact> | null> {
  return db.read(
    workspace,
    async (scope) => {
      const run = await findRun(scope, uuid);
      if (run === null) return null;
      const members = () => scope.select('run_contacts').where('run', '=', run.uuid);
      const counted = await members()
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      const rows = await members()
        .select('contact_uuid')
        .orderBy('contact_uuid')
        .limit(query.per_page)
        .offset((query.page - 1) * query.per_page)
        .execute();
      const uuids = rows.map(({ contact_uuid }) => contact_uuid);
      return { data: await describeContacts(scope, run, uuids), meta: createPageMeta(query, counted.total) };
    },
    { isLong: true },
  );
}

async function describeContacts(scope: Scope, row: RunRow, uuids: readonly string[]): Promise<RunContact[]> {
  const { uuid: run, reason } = row;
  if (uuids.length === 0) return [];
  const contacts = await scope
    .select('contacts')
    .select(['uuid', 'subscribed', 'suppression_reason', 'attributes'])
    .where('uuid', 'in', uuids)
    .execute();
  const ofRun = () =>
    scope
      .select('changes')
      .select(['contact_uuid', 'subscribed', 'request_id', 'created_at'])
      .where('run', '=', run)
      .where('contact_uuid', 'in', uuids)
      .orderBy('number');
  const lines = await ofRun().where('subscribed', 'is not', null).execute();
  const saying = await ofRun()
    .where(sql<SqlBool>`((${isRecorded()}) or ${actionAgain(row)})`)
    .execute();
  const recorded = new Map(saying.map((line) => [line.contact_uuid, line]));
  const contactOf = new Map(contacts.map((contact) => [contact.uuid, contact]));
  const last = new Map(lines.map((line) => [line.contact_uuid, line]));
  const unsubscribed = new Map(lines.flatMap((line) => (line.subscribed === 0 ? [[line.contact_uuid, line]] : [])));
  return uuids.map((uuid) => {
    const contact = contactOf.get(uuid);
    const own = unsubscribed.get(uuid);
    const line = own ?? recorded.get(uuid);
    const undo = own && last.get(uuid)?.subscribed === 1 ? last.get(uuid) : undefined;
    const isLeft = contact?.subscribed === 1 || isStrongerReason(reason, contact?.suppression_reason);
    const untouched = isLeft ? 'left' : 'already';
    const done = own === undefined ? 'recorded' : undo === undefined ? 'unsubscribed' : 'resubscribed';
    return {
      uuid,
      ...nameContact(contact?.attributes ?? null),
      state: line === undefined ? untouched : done,
      request_id: line?.request_id ?? null,
      at: line === undefined ? null : timestamp(line.created_at),
      undone_at: undo === undefined ? null : timestamp(undo.created_at),
      undo_request_id: undo?.request_id ?? null,
    };
  });
}
