import { sql } from 'kysely';
import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/values/field.ts';
import { isStrongerReason, type Suppression, type Unsubscription } from '#contract/suppressions/suppression.ts';
import { keyOf, type LogAuthor } from '../database/changeLog/author.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { defineScopedStatement } from '../database/statement.ts';
import type { StoredValue } from '../database/storedRow.ts';
import { together } from '../database/together.ts';
import { nextUpdateTime } from '../database/timestamp.ts';
import { type WrittenContacts } from './addContacts.ts';
import { type LogEnd, type LogEntry, prepareLog, readLogEnd, SUBSCRIBED } from '../database/changeLog/writeLog.ts';
import { noteChange, writeIndexedValues } from './attributeIndex/values.ts';
import { diffAttributes } from './changeLog.ts';
import { attributeColumns, type StoredContact } from './contactRow.ts';
import { planIdentityChange, writeIdentities } from './identities/identities.ts';
import { writeSearchTexts } from '../database/search/searchContacts.ts';
import { mergeAttributes } from './mergeAttributes.ts';
import { checkRun } from './runs/checkRun.ts';
import {
  addToCounts,
  countSuppressions,
  type ImportedSuppression,
  NOT_SUPPRESSED,
  type SuppressionRow,
  suppressionRow,
  toSuppression,
} from './suppressions.ts';
import { changeFacts, readLineTime, type SuppressionFacts, type TimeOfLine } from './suppressionFacts.ts';
import { newWriteMark } from '../database/changeLog/writeMark.ts';

/** `facts` are of somebody who stays unsubscribed. */
export type ContactUpdate = { attributes?: Attributes; subscribed?: boolean; facts?: SuppressionFacts };

/** What kind of change it is, by whom and why; `said` of an unsubscribe. */
export type ChangeContext = Pick<LogEntry, 'action' | 'author' | 'details'> & {
  reason?: string | null;
  said?: (Unsubscription & Pick<ImportedSuppression, 'since'>) | undefined;
};

/** What changes leave to be written at the end of their transaction, with a few statements for all of them. */
export type Pending = WrittenContacts & {
  /** Statements that are not awaited yet. */
  sent: Promise<unknown>[];
  entries: LogEntry[];
  /** The line of the log before them, once somebody has to know it. */
  logEnd?: Promise<LogEnd>;
  /** The times of lines that were read for many contacts at once. */
  lineTimes: Map<number, number>;
  /** How many more contacts are subscribed. */
  subscribed: number;
};

export const nothingPending = (): Pending => ({
  sent: [],
  texts: new Map(),
  uuids: [],
  entries: [],
  suppressed: new Map(),
  values: new Map(),
  lineTimes: new Map(),
  subscribed: 0,
});

export async function writePending(scope: Scope, pending: Pending, now: number): Promise<void> {
  const { sent, texts, entries, logEnd, suppressed, subscribed, values } = pending;
  const writeIndexes = (attributeIndexes: string) => [
    writeSearchTexts(scope, texts),
    writeIndexedValues(scope, attributeIndexes, values),
    countSuppressions(scope, suppressed),
  ];
  if (entries.length === 0) return together([...sent, ...writeIndexes(pending.attributeIndexes ?? '[]')]);
  const end = await (logEnd ?? readLogEnd(scope));
  const log = await prepareLog(scope, entries, now, end);
  const search_mark = texts.size > 0 || subscribed !== 0 ? newWriteMark() : null;
  await together([...sent, ...writeIndexes(end.attribute_indexes), ...log.send({ subscribed, search_mark })]);
}

/**
 * Writes what differs from `row`, and leaves its line of the log in `pending`; gives `row` itself when nothing does. Every change goes
 * through here. Throws a `RunError` if its run may not change the subscription.
 */
export async function changeContact(
  scope: Scope,
  row: StoredContact,
  update: ContactUpdate,
  why: ChangeContext,
  pending: Pending,
  now: number,
): Promise<StoredContact> {
  const repeat = await decideRepeat(scope, row, update, why, now);
  if (repeat !== null) {
    const { subscribed: _, ...others } = update;
    const changed = await changeContact(scope, row, others, why, pending, now);
    return repeat === 'reason'
      ? recordReason(scope, changed, why, pending, now)
      : recordRepeat(scope, changed, why, pending);
  }
  const wasSubscribed = row.subscribed === 1;
  const subscribed = update.subscribed ?? wasSubscribed;
  const { columns, changes } =
    update.attributes === undefined
      ? { columns: {}, changes: [] }
      : await changeAttributes(scope, row, update.attributes, pending);
  const facts = await changeFacts(row, update.facts ?? {}, pending.suppressed, timesOf(scope, pending, now));
  changes.unshift(...facts.changes);
  if (subscribed !== wasSubscribed) changes.unshift({ field: SUBSCRIBED, before: wasSubscribed, after: subscribed });
  if (changes.length === 0) return row;
  const ofRun = subscribed === wasSubscribed ? null : await findRun(scope, row, why, subscribed);

  const changed = {
    subscribed: Number(subscribed),
    updated_at: nextUpdateTime(now, row.updated_at),
  };
  const { said: own, ...entry } = why;
  const said = { ...own, reason: own?.reason ?? ofRun?.reason ?? null, ticket: own?.ticket ?? ofRun?.ticket ?? null };
  const subscription =
    subscribed === wasSubscribed ? null : await changeSubscription(scope, row, { said, ...entry }, pending, now);
  const values = { ...columns, ...facts.columns, ...subscription?.columns, ...changed };
  const suppressed = subscription?.suppression && { suppression: subscription.suppression };
  return leave(scope, row, values, { ...entry, ...suppressed, changes }, pending);
}

/** Null where no run has to be known: an operator's command needs no approval, and an import counts its contacts itself. */
function findRun(scope: Scope, { uuid }: StoredContact, { action, author }: ChangeContext, subscribed: boolean) {
  const { run, actor } = author;
  return run === null || actor.kind === 'command' || action === 'import'
    ? null
    : checkRun(scope, run, uuid, subscribed);
}

/** Sends the change of a row, and leaves its line in `pending`. */
function leave(
  scope: Scope,
  row: StoredContact,
  columns: Partial<StoredContact>,
  entry: LogEntry,
  pending: Pending,
): StoredContact {
  const changed = { ...columns, change_count: row.change_count + 1 };
  const sent = updateRow(scope, row.id, changed);
  // Handled when all are awaited.
  sent.catch(() => {});
  pending.sent.push(sent);
  pending.uuids.push(row.uuid);
  pending.entries.push({ ...entry, contact: { uuid: row.uuid, number: changed.change_count } });
  return { ...row, ...changed };
}

/**
 * What is recorded of an unsubscribe of somebody who is unsubscribed already. `reason`: a stronger one than they have, or any where they have
 * none. `repeat`: an undo of what unsubscribed them would lose it. A retry of the same caller follows within seconds. Once is enough.
 */
async function decideRepeat(
  scope: Scope,
  row: StoredContact,
  { subscribed }: ContactUpdate,
  { said, author, action }: ChangeContext,
  now: number,
): Promise<'reason' | 'repeat' | null> {
  if (row.subscribed === 1 || subscribed !== false) return null;
  if (isStrongerReason(said?.reason, row.suppression_reason)) return 'reason';
  if (said?.reason && row.suppression_reason === '' && action !== 'import') return 'reason';
  const [last] = await selectUnsubscribe(scope, row.uuid, row.suppression_line);
  if (last === undefined || last.repeats > 0) return null;
  if (last.run !== null) return last.run === author.run ? null : 'repeat';
  const isSame = author.run === null && row.suppressed_by === keyOf(author.actor);
  const isRetry = isSame && row.suppressed_at >= now - RETRY_MS;
  return action === 'unsubscribe' && !isRetry ? 'repeat' : null;
}

/** Milliseconds. */
const RETRY_MS = 10_000;

/** The line of an unsubscribe, or of a run, and whether somebody did again since. A contact that it added has no undo. */
const selectUnsubscribe = defineScopedStatement(
  (id: ScopedId, contact: string, line: number) => sql<{ run: string | null; repeats: number }>`
    select run, (
      select count(*) from (
        select 1 from changes as later where later.workspace_id = ${id} and later.contact_uuid = ${contact}
          and later.contact_number > changes.contact_number and later.action in ('unsubscribe', 'unsubscribe_again') limit 1) as again
    ) as repeats
    from changes
    where workspace_id = ${id} and number = ${line} and (run is not null or subscribed = 0) and action <> 'create'`,
);

/** The record stays as it is. */
async function recordRepeat(
  scope: Scope,
  row: StoredContact,
  why: ChangeContext,
  pending: Pending,
): Promise<StoredContact> {
  await findRun(scope, row, why, false);
  const { said, ...entry } = why;
  const suppression = toSuppression(why.author, said);
  return leave(scope, row, {}, { ...entry, action: 'unsubscribe_again', suppression, changes: [] }, pending);
}

/** They stay unsubscribed since when they were. The line has no changes, so that nothing counts or undoes it as an unsubscribe. */
async function recordReason(
  scope: Scope,
  row: StoredContact,
  why: ChangeContext,
  pending: Pending,
  now: number,
): Promise<StoredContact> {
  await findRun(scope, row, why, false);
  const { said, ...entry } = why;
  const suppression = toSuppression(why.author, said);
  addToCounts(pending.suppressed, row, -1);
  const next = await suppressByNext(scope, pending, { author: why.author, suppression, now });
  const columns = { ...next, suppressed_at: row.suppressed_at };
  return leave(scope, row, columns, { ...entry, action: 'unsubscribe', suppression, changes: [] }, pending);
}

/** Counts the change of a subscription; gives the columns of the contact, and what the line says of an unsubscribe. */
async function changeSubscription(
  scope: Scope,
  row: StoredContact,
  { author, said }: ChangeContext,
  pending: Pending,
  now: number,
): Promise<{ columns: SuppressionRow; suppression?: Suppression }> {
  if (row.subscribed === 0) {
    pending.subscribed++;
    addToCounts(pending.suppressed, row, -1);
    return { columns: NOT_SUPPRESSED };
  }
  pending.subscribed--;
  const suppression = toSuppression(author, said);
  return { columns: await suppressByNext(scope, pending, { author, suppression, now }), suppression };
}

/** The columns of a contact that the next line in `pending` will say is unsubscribed. Counts it. */
export async function suppressByNext(
  scope: Scope,
  pending: Pending,
  { author, suppression, now }: { author: LogAuthor; suppression: Suppression; now: number },
): Promise<SuppressionRow> {
  const { log_count } = await (pending.logEnd ??= readLogEnd(scope));
  const line = { number: log_count + pending.entries.length + 1, time: await timesOf(scope, pending, now)() };
  const row = suppressionRow(suppression, author.actor, line);
  addToCounts(pending.suppressed, row, 1);
  return row;
}

export function timesOf(scope: Scope, pending: Pending, now: number): TimeOfLine {
  return async (number) => {
    const { log_count, log_at } = await (pending.logEnd ??= readLogEnd(scope));
    if (number === undefined || number > log_count) return Math.max(now, log_at);
    return pending.lineTimes.get(number) ?? readLineTime(scope, number);
  };
}

type UpdateRow = (scope: Scope, id: number, ...values: StoredValue[]) => Promise<unknown>;
/** By the columns that they write: SQLite writes the index entries of all columns that a statement names. */
const updateStatements = new Map<string, UpdateRow>();

function updateRow(scope: Scope, id: number, columns: Partial<StoredContact>): Promise<unknown> {
  const names = Object.keys(columns);
  const update = updateStatements.getOrInsertComputed(names.join(), () =>
    defineScopedStatement((workspaceId: ScopedId, id: number, ...values: StoredValue[]) => {
      const cells = names.map((name, at) => sql`${sql.ref(name)} = ${values[at]}`);
      return sql`update contacts set ${sql.join(cells)} where workspace_id = ${workspaceId} and id = ${id}`;
    }),
  );
  return update(scope, id, ...Object.values(columns));
}

/** Writes the identities, and leaves the texts in `pending`; gives the columns that differ, to be written, and the changes for the log. */
async function changeAttributes(
  scope: Scope,
  row: StoredContact,
  attributes: Attributes,
  pending: Pending,
): Promise<{ columns: Partial<StoredContact>; changes: FieldChange[] }> {
  const before = JSON.parse(row.attributes) as Attributes;
  const after = mergeAttributes(scope.workspace, before, attributes);
  const changes = diffAttributes(before, after);
  if (changes.length === 0) return { columns: {}, changes };
  await writeIdentities(scope, row.id, await planIdentityChange(scope, row.id, before, after));
  const columns = attributeColumns(after, scope.workspace.identity_field);
  const old = attributeColumns(before, scope.workspace.identity_field);
  if (columns.search_key !== old.search_key) pending.texts.set(row.id, columns.search_key);
  noteChange(pending.values, row.id, { before, after });
  return { columns: omitEqual(columns, row), changes };
}

/** Those of `columns` that differ from `row`. */
function omitEqual<Columns extends object>(columns: Columns, row: Partial<Columns>): Partial<Columns> {
  const changed = Object.entries(columns).filter(([name, value]) => row[name as keyof Columns] !== value);
  return Object.fromEntries(changed) as Partial<Columns>;
}
