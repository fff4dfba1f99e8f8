import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Change, FieldChange } from '#contract/change.ts';
import type { Attributes } from '#contract/values/field.ts';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import type { Database } from '../database/database.ts';
import { type ActorColumns, actorIn } from '../database/changeLog/author.ts';
import type { ScopedId } from '../database/scope.ts';
import { limitPageBytes, hasLargeRows } from '../database/paging/pageSize.ts';
import { defineScopedStatement } from '../database/statement.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Workspace } from '../database/workspace.ts';
import type { LineSummary } from '../database/changeLog/lineSummary.ts';
import { selectContactByKeys, type ContactLookupKeys, toContactLookupKeys } from './identities/identities.ts';

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

const changesOf = (workspaceId: ScopedId, contactUuid: RawBuilder<string>) =>
  sql<SqlBool>`workspace_id = ${workspaceId} and contact_uuid = ${contactUuid}`;
/** The number of the oldest change that wasn't deleted; null if there is none. */
const firstChange = (workspaceId: ScopedId, contactUuid: RawBuilder<string>) => sql<number | null>`(
  select min(contact_number) from changes where ${changesOf(workspaceId, contactUuid)} and contact_number is not null)`;
const changedContact = defineScopedStatement((workspaceId: ScopedId, ...keys: ContactLookupKeys) => {
  const isLarge = hasLargeRows('changes', changesOf(workspaceId, sql`contacts.uuid`));
  return selectContactByKeys<{ uuid: string; change_count: number; has_large: number; first: number | null }>(
    sql`uuid, change_count, ${isLarge} as has_large, ${firstChange(workspaceId, sql`contacts.uuid`)} as first`,
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
    const within = changesOf(scope.id, sql`${contact.uuid}`);
    const query = contact.has_large ? await limitPageBytes(scope, 'changes', within, requestedQuery) : requestedQuery;
    // Those that weren't deleted are numbered without gaps, so a page is a range of numbers, and no rows have to be skipped.
    const newest = contact.change_count - (query.page - 1) * query.per_page;
    const rows = await readContactChanges(scope, contact.uuid, newest - query.per_page, newest);
    const total = contact.first === null ? 0 : contact.change_count - contact.first + 1;
    return { data: rows.map(toChange), meta: createPageMeta(query, total) };
  });
}

const readContactChanges = defineScopedStatement(
  (workspaceId: ScopedId, contactUuid: string, after: number, last: number) => sql<LoggedChange>`
    select uuid, action, created_at, actor_kind, actor, actor_name, actor_email, request_id, run, summary, change_values.changes as changes
    from changes left join change_values
      on change_values.workspace_id = changes.workspace_id and change_values.number = changes.number
    where changes.workspace_id = ${workspaceId} and contact_uuid = ${contactUuid}
      and contact_number > ${after} and contact_number <= ${last}
    order by contact_number desc`,
);

type LoggedChange = Pick<Tables['changes'], 'uuid' | 'action' | 'created_at' | 'request_id' | 'run'> &
  ActorColumns & { summary: string | null; changes: string | null };

function toChange({ uuid, action, created_at, request_id, run, summary, changes, ...row }: LoggedChange): Change {
  const said = summary === null ? null : (JSON.parse(summary) as LineSummary);
  return {
    uuid,
    action,
    created_at: timestamp(created_at),
    actor: actorIn(row),
    request_id,
    run,
    reason: said?.reason ?? null,
    suppression: said?.suppression ?? null,
    changes: changes === null ? [] : (JSON.parse(changes) as FieldChange[]),
  };
}
