import type * as z from 'zod/mini';
import type { addRunEntries, BulkRun, ReceivedEntries, startRun } from '#contract/runs/runs.ts';
import { isStorable } from '#contract/values/field.ts';
import { type LogAuthor, keyOf } from '../../database/changeLog/author.ts';
import { writeLog } from '../../database/changeLog/writeLog.ts';
import type { Database } from '../../database/database.ts';
import { upsertRows } from '../../database/insertRows.ts';
import type { Scope } from '../../database/scope.ts';
import type { Workspace } from '../../database/workspace.ts';
import { findContacts } from '../identities/identities.ts';
import { type ApprovalAbove, noApproval, RunError } from './checkRun.ts';
import { describeRun, findRun, type RunRow } from './listRuns.ts';

type By = { now: number; author: LogAuthor };

/** Longer values name nobody. */
const VALUE_MAX = 300;

type KeptRun = z.infer<typeof startRun.body> & Partial<Pick<RunRow, 'imported'>>;

/** Keeps a run that begins; one that is kept already stays as it is. */
export function keepRun(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  { uuid: given, ...run }: KeptRun,
  by: By,
): Promise<BulkRun> {
  return db.write(workspace, async (scope) => {
    const uuid = given.toLowerCase();
    return describeRun(
      scope,
      (await findRun(scope, uuid)) ?? (await insertRun(scope, { uuid, received: 0, ...run }, by)),
    );
  });
}

export async function insertRun(
  scope: Scope,
  {
    uuid,
    entries,
    received,
    digest = null,
    reason = null,
    ticket = null,
    imported = null,
  }: KeptRun & Pick<RunRow, 'received'>,
  { now, author: { actor } }: By,
): Promise<RunRow> {
  const row = {
    uuid,
    created_at: now,
    actor_kind: actor.kind,
    actor: keyOf(actor),
    actor_name: actor.name,
    actor_email: actor.email,
    digest,
    reason,
    ticket,
    entries,
    received,
    missing: 0,
    contact_count: 0,
    approved_at: null,
    approver: null,
    approver_name: null,
    approver_email: null,
    imported,
  };
  await scope.insert('runs', row).execute();
  return { workspace_id: scope.id, ...row };
}

/** Adds the contacts that the next entries name. Entries that the run has already change nothing. Throws a `RunError`. */
export function addEntries(
  workspace: Workspace,
  db: Pick<Database, 'write'>,
  uuid: string,
  { from, entries }: z.infer<typeof addRunEntries.body>,
  { author: { actor } }: By,
): Promise<ReceivedEntries> {
  return db.write(workspace, async (scope) => {
    const run = await mustFind(scope, uuid);
    if (run.imported !== null) throw new RunError(409, 'This run is an import.');
    const { received, missing, contact_count: contacts } = run;
    if (from > received) throw new RunError(409, `The run has ${received} entries: send the next ones first.`);
    const added = entries.slice(received - from);
    if (added.length === 0) return { received, contacts, missing };
    // Others could fill in what its author doesn't know of, and approve it.
    if (run.actor !== keyOf(actor)) throw new RunError(403, 'Only who started a run can add to it.');
    if (received + added.length > run.entries) {
      throw new RunError(409, `The run was started with ${run.entries} entries.`);
    }
    const found = await findNamed(scope, added);
    const rows = [...new Set(found)].flatMap((contact_uuid) =>
      contact_uuid === null ? [] : [{ run: run.uuid, contact_uuid }],
    );
    const inserted = await upsertRows(scope, 'run_contacts', rows, 'on conflict do nothing returning contact_uuid');
    const after = {
      received: received + added.length,
      contacts: contacts + inserted.length,
      missing: missing + found.filter((contact) => contact === null).length,
    };
    const columns = { received: after.received, contact_count: after.contacts, missing: after.missing };
    await scope.update('runs').set(columns).where('uuid', '=', run.uuid).execute();
    return after;
  });
}

/** The UUID of the contact that each entry names, by the first of its values that names one; null if none does. */
async function findNamed(scope: Scope, entries: readonly string[][]): Promise<(string | null)[]> {
  const values = new Set(entries.flat().filter((value) => value.length <= VALUE_MAX && isStorable(value)));
  const contacts = await findContacts(scope, values);
  return entries.map((entry) => {
    const value = entry.find((each) => contacts.has(each));
    return value === undefined ? null : (contacts.get(value)?.uuid ?? null);
  });
}

/**
 * Lets a run go on that has more contacts than runs without approval. Only people approve, and only what another person started: a token
 * doesn't say who holds it. Throws a `RunError`.
 */
export function approveRun(workspace: Workspace, db: Database, uuid: string, { now, author }: By): Promise<BulkRun> {
  return db.write(workspace, async (scope) => {
    const run = await mustFind(scope, uuid);
    if (run.imported !== null) throw new RunError(409, 'An import needs no approval.');
    if (run.approved_at !== null) return describeRun(scope, run);
    const { kind, name, email } = author.actor;
    if (run.actor_kind !== 'person') throw noApproval(await readApprovalAbove(scope));
    if (kind !== 'person')
      throw new RunError(403, 'A token can’t approve a run: it doesn’t say who holds it. Sign in with an account.');
    if (run.actor === keyOf(author.actor))
      throw new RunError(403, 'A second person approves a run, not who started it.');
    if (run.received < run.entries) throw new RunError(409, 'The run is incomplete: its list is still being sent.');
    const details = { contacts: run.contact_count };
    await writeLog(scope, [{ action: 'run_approve', author: { ...author, run: run.uuid }, details }], now);
    const approval = {
      approved_at: now,
      approver: keyOf(author.actor),
      approver_name: name,
      approver_email: email,
    };
    await scope.update('runs').set(approval).where('uuid', '=', run.uuid).execute();
    return describeRun(scope, { ...run, ...approval });
  });
}

export async function mustFind(scope: Scope, uuid: string): Promise<RunRow> {
  const run = await findRun(scope, uuid);
  if (run === null) throw new RunError(404, 'There is no such run in this workspace.');
  return run;
}

export async function readApprovalAbove(scope: Scope): Promise<ApprovalAbove> {
  return (await scope.select('workspace_heads').select('approval_above').executeTakeFirstOrThrow()).approval_above;
}

export function setApprovalAbove(
  workspace: Workspace,
  db: Database,
  approval_above: ApprovalAbove,
  { now, author }: By,
): Promise<void> {
  return db.write(workspace, async (scope) => {
    const before = await readApprovalAbove(scope);
    if (before === approval_above) return;
    await scope.update('workspace_heads').set({ approval_above }).execute();
    const details = { before: before ?? 'off', after: approval_above ?? 'off' };
    await writeLog(scope, [{ action: 'run_settings', author, details }], now);
  });
}
