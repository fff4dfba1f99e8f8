import { sql } from 'kysely';
import { randomUUIDv7 } from 'node:crypto';
import { writesInQueries } from '../database/engine.ts';
import { SPLIT_THRESHOLD } from '../database/eventPeriods.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { defineScopedStatement } from '../database/statement.ts';
import { foldSearch } from '../database/textSearch.ts';
import { checkEvent, type ImportedEvent } from './checkEvent.ts';
import { type ContactLookupKeys, selectContactByKeys, toContactLookupKeys } from './identities.ts';

/**
 * Adds an event and counts it with one statement, where the engine can do that. False leaves it all to `putEvents`, and nothing is
 * written then: for an event that has an error or exists, one whose UUID is made of its content, and where periods are counted.
 */
export async function addEvent(scope: Scope, event: ImportedEvent, now: number): Promise<boolean> {
  if (!writesInQueries(scope)) return false;
  if (event.uuid === undefined && event.created_at !== undefined) return false;
  const checked = checkEvent(event);
  if (Array.isArray(checked)) return false;
  const keys = toContactLookupKeys(event.contact);
  if (keys === null) return false;
  const { event_name, attributes, created_at = now } = checked;
  const uuid = event.uuid?.toLowerCase() ?? randomUUIDv7();
  const added = await insertCounted(scope, created_at, uuid, event_name, attributes, foldSearch(event_name), ...keys);
  return added.length > 0;
}

/** Gives a row if the event was added. All parts of the statement see the data as it was before it. */
const insertCounted = defineScopedStatement(
  (
    workspaceId: ScopedId,
    created_at: number,
    uuid: string,
    event_name: string,
    attributes: string,
    name_key: string,
    ...keys: ContactLookupKeys
  ) => sql`
    with contact as (
      ${selectContactByKeys(sql`id`, workspaceId, ...keys)} and event_count < ${sql.lit(SPLIT_THRESHOLD)}
    ), added as (
      insert into events (workspace_id, contact_id, created_at, uuid, event_name, attributes)
      select ${workspaceId}, id, ${created_at}, ${uuid}, ${event_name}, ${attributes} from contact
      on conflict do nothing returning contact_id
    ), named as (
      insert into event_names (workspace_id, contact_id, event_name, name_key, count)
      select ${workspaceId}, contact_id, ${event_name}, ${name_key}, 1 from added
      on conflict (workspace_id, contact_id, event_name) do update set count = event_names.count + 1
    )
    update contacts set event_count = event_count + 1
    where workspace_id = ${workspaceId} and id = (select contact_id from added) returning id`,
);
