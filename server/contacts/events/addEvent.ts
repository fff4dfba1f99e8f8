import { type RawBuilder, sql } from 'kysely';
import { randomUUIDv7 } from 'node:crypto';
import { must } from '#contract/values/must.ts';
import { writesInQueries } from '../../database/engine.ts';
import type { Scope, ScopedId } from '../../database/scope.ts';
import { defineScopedStatement } from '../../database/statement.ts';
import { foldSearch } from '../../database/search/textSearch.ts';
import { checkEvent, type ImportedEvent } from './checkEvent.ts';
import { type ContactLookupKeys, selectContactByKeys, toContactLookupKeys } from '../identities/identities.ts';

/**
 * Adds an event and counts it with as few statements as the engine allows: one where a query may have parts that write, else two.
 * False leaves it all to `putEvents`, and nothing is written then: for an event that has an error or exists, and one whose UUID is made
 * of its content.
 */
export async function addEvent(scope: Scope, event: ImportedEvent, now: number): Promise<boolean> {
  if (event.uuid === undefined && event.created_at !== undefined) return false;
  const checked = checkEvent(event);
  if (Array.isArray(checked)) return false;
  const keys = toContactLookupKeys(event.contact);
  if (keys === null) return false;
  const { event_name, attributes, created_at = now } = checked;
  const uuid = event.uuid?.toLowerCase() ?? randomUUIDv7();
  const name_key = foldSearch(event_name);
  if (writesInQueries(scope)) {
    const [result] = await insertCounted(scope, name_key, created_at, uuid, event_name, attributes, ...keys);
    return must(result).added;
  }
  const [added] = await insertAlone(scope, created_at, uuid, event_name, attributes, ...keys);
  if (added === undefined) return false;
  await countNameAlone(scope, added.contact_id, event_name, name_key);
  return true;
}

type AddedEvent = [created_at: number, uuid: string, event_name: string, attributes: string, ...ContactLookupKeys];

/** Gives a row if the event was added. */
const insertEvent = (workspaceId: ScopedId, ...[created_at, uuid, event_name, attributes, ...keys]: AddedEvent) => sql<{
  contact_id: number;
}>`
  insert into events (workspace_id, contact_id, created_at, uuid, event_name, attributes)
  select workspace_id, id, ${created_at}, ${uuid}, ${event_name}, ${attributes}
  from (${selectContactByKeys(sql`workspace_id, id`, workspaceId, ...keys)}) as contact
  where true on conflict do nothing returning contact_id`;

/** `row` is what it writes where the contact has no event of that name yet. */
const countName = (row: RawBuilder<unknown>) => sql`
  insert into event_names (workspace_id, contact_id, event_name, name_key, count) ${row}
  on conflict (workspace_id, contact_id, event_name) do update set count = event_names.count + 1`;

/** Says whether the event was added. All parts of the statement see the data as it was before it. */
const insertCounted = defineScopedStatement((workspaceId: ScopedId, name_key: string, ...event: AddedEvent) => {
  const [, , event_name] = event;
  return sql<{ added: boolean }>`
    with added as (${insertEvent(workspaceId, ...event)}),
    named as (${countName(sql`select ${workspaceId}, contact_id, ${event_name}, ${name_key}, 1 from added`)})
    select count(*) > 0 as added from added`;
});

const insertAlone = defineScopedStatement(insertEvent);
const countNameAlone = defineScopedStatement(
  (workspaceId: ScopedId, contactId: number, event_name: string, name_key: string) =>
    countName(sql`values (${workspaceId}, ${contactId}, ${event_name}, ${name_key}, 1)`),
);
