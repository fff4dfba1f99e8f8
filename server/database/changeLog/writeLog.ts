import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Action, FieldChange } from '#contract/change.ts';
import { FIELDS_MAX } from '#contract/auditLog.ts';
import type { Suppression } from '#contract/suppressions/suppression.ts';
import { must } from '#contract/values/must.ts';
import { keyOf, type LogAuthor } from './author.ts';
import type { AnnouncedRun, StatedCheckpoint } from './checkpoint.ts';
import { insertRows } from '../insertRows.ts';
import type { LineSummary } from './lineSummary.ts';
import type { LoggedErasure } from './loggedErasure.ts';
import { digestValues, hashLine, type LineValues } from './logChain.ts';
import type { Scope, ScopedId } from '../scope.ts';
import { defineScopedStatement } from '../statement.ts';
import { together } from '../together.ts';

/** Something that happened, for the log. */
export type LogEntry = {
  action: Action;
  author: LogAuthor;
  /** The contact that it is about, and how many changes that has with this one; null where it is no change of the contact. */
  contact?: { uuid: string; number: number | null };
  reason?: string | null;
  /** Of an unsubscribe only. */
  suppression?: Suppression;
  changes?: readonly FieldChange[];
  /** Details by name. */
  details?: Readonly<Record<string, string | number>>;
  /** Of an erasure, and of the begin and end of a run of the retention, only. */
  erasure?: LoggedErasure | AnnouncedRun | StatedCheckpoint;
};

/**
 * Adds a line for each of `entries`, in their order, in the transaction of the change. `now` is in milliseconds. Gives the
 * time of the lines, which is `now` unless the line before is of a later time.
 */
export async function writeLog(scope: Scope, entries: readonly LogEntry[], now: number): Promise<number> {
  const { time, send } = await prepareLog(scope, entries, now);
  await together(send());
  return time;
}

/** What else a write changes in the head of its workspace: `search_mark` is null if it stays. */
type WorkspaceChange = { subscribed: number; search_mark: number | null };

/** The time of the lines, and what sends the statements that write them. `end` is the line before. */
export async function prepareLog(
  scope: Scope,
  entries: readonly LogEntry[],
  now: number,
  end: LogEnd | Promise<LogEnd> = readLogEnd(scope),
): Promise<{ time: number; send: (change?: WorkspaceChange) => Promise<unknown>[] }> {
  let { log_count: number, log_hash: hash, log_at } = await end;
  const time = Math.max(now, log_at);
  const values: (LineValues & { number: number })[] = [];
  const lines = entries.map((entry) => {
    number++;
    const ofEntry = toValues(entry);
    if (ofEntry !== null) values.push({ number, ...ofEntry });
    const written = toLine(entry, ofEntry, number, time);
    hash = hashLine(hash, written);
    return { workspace_id: scope.id, ...written, hash };
  });
  const send = ({ subscribed, search_mark }: WorkspaceChange = { subscribed: 0, search_mark: null }) => [
    insertRows(scope.kysely, 'changes', lines),
    insertRows(
      scope.kysely,
      'change_values',
      values.map((row) => ({ workspace_id: scope.id, ...row })),
    ),
    updateWorkspace(scope, number, hash, time, subscribed, search_mark),
  ];
  return { time, send };
}

/** In one statement: on PostgreSQL each leaves another version of the row. */
const updateWorkspace = defineScopedStatement(
  (id: ScopedId, count: number, hash: string, time: number, subscribed: number, search_mark: number | null) => sql`
    update workspace_heads set log_count = ${count}, log_hash = ${hash}, log_at = ${time},
      subscribed_count = subscribed_count + ${subscribed}, search_mark = coalesce(${search_mark}, search_mark)
    where workspace_id = ${id}`,
);

/** With the indexes of attributes, which each change of a contact has to know. */
export type LogEnd = { log_count: number; log_hash: string; log_at: number; attribute_indexes: string };

export async function readLogEnd(scope: Scope): Promise<LogEnd> {
  return must((await selectEnd(scope))[0]);
}

/** The transaction has locked the workspace, so nobody else adds lines. */
const selectEnd = defineScopedStatement(
  (id: ScopedId) =>
    sql<LogEnd>`select log_count, log_hash, log_at, attribute_indexes from workspace_heads where workspace_id = ${id}`,
);

function toLine(
  { action, author: { actor, requestId, run }, contact, changes = [], erasure }: LogEntry,
  values: LineValues | null,
  number: number,
  time: number,
) {
  return {
    number,
    uuid: randomUUID(),
    created_at: time,
    action,
    actor_kind: actor.kind,
    actor: keyOf(actor),
    actor_name: actor.name,
    actor_email: actor.email,
    actor_subject: actor.subject,
    contact_uuid: contact?.uuid ?? null,
    contact_number: contact?.number ?? null,
    subscribed: subscribedIn(changes),
    request_id: requestId,
    run,
    size: values === null ? 0 : Buffer.byteLength(values.changes),
    values_digest: values && digestValues(values),
    erasure: erasure === undefined ? null : JSON.stringify(erasure),
  };
}

/** The field of a change that is no attribute. */
export const SUBSCRIBED = 'subscribed';

function subscribedIn(changes: readonly FieldChange[]): number | null {
  const change = changes.find(({ field }) => field === SUBSCRIBED);
  return change === undefined ? null : Number(change.after);
}

/** Null where there is nothing to say. */
function toValues({ reason = null, suppression, changes = [], details }: LogEntry): LineValues | null {
  if (reason === null && suppression === undefined && changes.length === 0 && details === undefined) return null;
  const summary: LineSummary = {
    reason,
    ...(suppression && { suppression }),
    fields: changes.slice(0, FIELDS_MAX).map(({ field }) => field),
    field_count: changes.length,
    details: details ?? null,
  };
  return {
    salt: randomBytes(16).toString('hex'),
    summary: JSON.stringify(summary),
    changes: JSON.stringify(changes),
  };
}
