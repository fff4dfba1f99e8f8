import { sql } from 'kysely';
import type { FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/values/field.ts';
import type { Suppression, Unsubscription } from '#contract/suppression.ts';
import { keyOf, type LogAuthor } from '../database/changeLog/author.ts';
import { countUnsubscribes } from '../database/paging/unsubscribeCounts.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { defineScopedStatement } from '../database/statement.ts';
import type { StoredValue } from '../database/storedRow.ts';
import { together } from '../database/together.ts';
import { nextUpdateTime } from '../database/timestamp.ts';
import { type WrittenContacts } from './addContacts.ts';
import { type LogEntry, prepareLog, SUBSCRIBED } from '../database/changeLog/writeLog.ts';
import { diffAttributes } from './changeLog.ts';
import { attributeColumns, type StoredContact } from './contactRow.ts';
import { planIdentityChange, writeIdentities } from './identities/identities.ts';
import { writeSearchTexts } from '../database/search/searchContacts.ts';
import { mergeAttributes } from './mergeAttributes.ts';
import { newWriteMark } from '../database/changeLog/writeMark.ts';

export type ContactUpdate = { attributes?: Attributes; subscribed?: boolean };

/** What kind of change it is, by whom and why; `said` of an unsubscribe. */
export type ChangeContext = Pick<LogEntry, 'action' | 'author'> & {
  reason?: string | null;
  said?: Unsubscription | undefined;
};

/** What changes leave to be written at the end of their transaction, with a few statements for all of them. */
export type Pending = WrittenContacts & {
  /** Statements that are not awaited yet. */
  sent: Promise<unknown>[];
  entries: LogEntry[];
  unsubscribed: Map<string, number>;
  /** How many more contacts are subscribed. */
  subscribed: number;
};

export const nothingPending = (): Pending => ({
  sent: [],
  texts: new Map(),
  uuids: [],
  entries: [],
  unsubscribed: new Map(),
  subscribed: 0,
});

export async function writePending(scope: Scope, pending: Pending, now: number): Promise<void> {
  const { sent, texts, entries, unsubscribed, subscribed } = pending;
  if (entries.length === 0) return together([...sent, writeSearchTexts(scope, texts)]);
  const log = await prepareLog(scope, entries, now);
  const search_mark = texts.size > 0 || subscribed !== 0 ? newWriteMark() : null;
  await together([
    ...sent,
    writeSearchTexts(scope, texts),
    ...log.send({ subscribed, search_mark }),
    ...Array.from(unsubscribed, ([actor, count]) => countUnsubscribes(scope, actor, count, log.time)),
  ]);
}

/** Writes what differs from `row`, and leaves its line of the log in `pending`; gives `row` itself when nothing does. Every change goes through here. */
export async function changeContact(
  scope: Scope,
  row: StoredContact,
  update: ContactUpdate,
  why: ChangeContext,
  pending: Pending,
  now: number,
): Promise<StoredContact> {
  const wasSubscribed = row.subscribed === 1;
  const subscribed = update.subscribed ?? wasSubscribed;
  const { columns, changes } =
    update.attributes === undefined
      ? { columns: {}, changes: [] }
      : await changeAttributes(scope, row, update.attributes, pending);
  if (subscribed !== wasSubscribed) changes.unshift({ field: SUBSCRIBED, before: wasSubscribed, after: subscribed });
  if (changes.length === 0) return row;

  const changed = {
    subscribed: Number(subscribed),
    updated_at: nextUpdateTime(now, row.updated_at),
    change_count: row.change_count + 1,
  };
  const sent = updateRow(scope, row.id, { ...columns, ...changed });
  // Handled when all are awaited.
  sent.catch(() => {});
  pending.sent.push(sent);
  if (subscribed !== wasSubscribed) {
    pending.subscribed += subscribed ? 1 : -1;
    if (!subscribed) {
      const actor = keyOf(why.author.actor);
      pending.unsubscribed.set(actor, (pending.unsubscribed.get(actor) ?? 0) + 1);
    }
  }
  const written = { ...row, ...columns, ...changed };
  pending.uuids.push(row.uuid);
  const { said, ...entry } = why;
  pending.entries.push({
    ...entry,
    ...(wasSubscribed && !subscribed && { suppression: toSuppression(why.author, said) }),
    contact: { uuid: row.uuid, number: changed.change_count },
    changes,
  });
  return written;
}

export function toSuppression({ origin }: LogAuthor, said: Unsubscription = {}): Suppression {
  return { reason: said.reason ?? null, ticket: said.ticket ?? null, origin: said.origin ?? origin ?? null };
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
  await writeIdentities(scope, row.id, await planIdentityChange(scope, before, after));
  const columns = attributeColumns(after, scope.workspace.identity_field);
  const old = attributeColumns(before, scope.workspace.identity_field);
  if (columns.search_key !== old.search_key) pending.texts.set(row.id, columns.search_key);
  return { columns: omitEqual(columns, row), changes };
}

/** Those of `columns` that differ from `row`. */
function omitEqual<Columns extends object>(columns: Columns, row: Partial<Columns>): Partial<Columns> {
  const changed = Object.entries(columns).filter(([name, value]) => row[name as keyof Columns] !== value);
  return Object.fromEntries(changed) as Partial<Columns>;
}
