import { type RawBuilder, sql, type SqlBool } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Change, FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/field.ts';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import type { Database } from '../database/database.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { limitPageBytes, hasLargeRows } from '../database/pageSize.ts';
import { defineScopedStatement } from '../database/statement.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Caller, Workspace } from '../database/workspace.ts';
import { selectContactByKeys, type ContactLookupKeys, toContactLookupKeys } from './identities.ts';

/** What kind of change it is, by whom (null for an import) and why. */
export type ChangeContext = { action: Change['action']; caller: Caller | null; reason: string | null };

/** The one field of a change that is not an attribute. */
export const SUBSCRIBED = 'subscribed';

/** The differences between two states of the attributes, as the log stores them. */
export function diffAttributes(before: Attributes, after: Attributes): FieldChange[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const change = { field: `attributes.${key}`, before: valueIn(before, key), after: valueIn(after, key) };
    return JSON.stringify(change.before) === JSON.stringify(change.after) ? [] : [change];
  });
}

/** Null where there is none. Inherited properties, such as `constructor`, do not count. */
export function valueIn(attributes: Attributes, key: string): unknown {
  return Object.hasOwn(attributes, key) ? attributes[key] : null;
}

/** In the transaction of the change. `number` counts the changes of the contact, `now` is in milliseconds. */
export async function logChange(
  scope: Scope,
  contactId: number,
  number: number,
  changes: readonly FieldChange[],
  { action, caller, reason }: ChangeContext,
  now: number,
): Promise<void> {
  await scope
    .insert('contact_changes', {
      contact_id: contactId,
      number,
      uuid: randomUUID(),
      action,
      created_at: now,
      token_uuid: caller?.token.uuid ?? null,
      token_name: caller?.token.name ?? null,
      request_id: caller?.requestId ?? null,
      reason,
      changes: JSON.stringify(changes),
    })
    .execute();
}

const changesOf = (workspaceId: ScopedId, contactId: RawBuilder<number>) =>
  sql<SqlBool>`workspace_id = ${workspaceId} and contact_id = ${contactId}`;
const changedContact = defineScopedStatement((workspaceId: ScopedId, ...keys: ContactLookupKeys) => {
  const isLarge = hasLargeRows('contact_changes', changesOf(workspaceId, sql`contacts.id`));
  return selectContactByKeys<{ id: number; change_count: number; has_large: number }>(
    sql`id, change_count, ${isLarge} as has_large`,
    workspaceId,
    ...keys,
  );
});

/** A page of the changes of the contact that `value` names, newest first. Null when there is no such contact. */
export async function listContactChanges(
  workspace: Workspace,
  db: Database,
  value: string,
  requestedQuery: CheckedListQuery,
): Promise<Page<Change> | null> {
  const keys = toContactLookupKeys(value);
  if (keys === null) return null;
  return db.read(workspace, async (scope) => {
    const [contact] = await changedContact(scope, ...keys);
    if (contact === undefined) return null;
    const within = changesOf(scope.id, sql`${contact.id}`);
    const query = contact.has_large
      ? await limitPageBytes(scope, 'contact_changes', within, requestedQuery)
      : requestedQuery;
    // Changes are numbered without gaps, so a page is a range of numbers, and no rows have to be skipped.
    const newest = contact.change_count - (query.page - 1) * query.per_page;
    const rows = await scope
      .select('contact_changes')
      .select(['uuid', 'action', 'created_at', 'token_name', 'request_id', 'reason', 'changes'])
      .where('contact_id', '=', contact.id)
      .where('number', '<=', newest)
      .where('number', '>', newest - query.per_page)
      .orderBy('number', 'desc')
      .execute();
    const data = rows.map((row) => ({
      ...row,
      created_at: timestamp(row.created_at),
      changes: JSON.parse(row.changes) as FieldChange[],
    }));
    return { data, meta: createPageMeta(query, contact.change_count) };
  });
}
