import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import { upsertRows } from '../database/insertRows.ts';
import type { Scope } from '../database/scope.ts';
import { foldSearch } from '../database/search/textSearch.ts';

/** Contacts that one statement looks at, and events that one transaction deletes, about. */
const CONTACTS_AT_ONCE = 1_000;
const EVENTS_AT_ONCE = 1_000;

/** Contacts with events before a time, and how many events; of a contact at most so many as are deleted at once. `last`: null at the end. */
export type OldEvents = { contacts: { id: number; old: number }[]; last: number | null };

/** Of the next contacts after the id `after`. Each is found in the index of its events, whatever others have. */
export async function findOldEvents(scope: Scope, before: number, after: number): Promise<OldEvents> {
  const rows = await scope.run(sql<{ id: number; old: number }>`
    select id, (
      select count(*) from (
        select 1 from events where events.workspace_id = ${scope.id} and events.contact_id = contacts.id
          and events.created_at < ${before} limit ${sql.lit(EVENTS_AT_ONCE)}
      ) as old_events
    ) as old from contacts where workspace_id = ${scope.id} and id > ${after}
    order by id limit ${sql.lit(CONTACTS_AT_ONCE)}`);
  return {
    contacts: rows.filter(({ old }) => old > 0),
    last: rows.length === CONTACTS_AT_ONCE ? must(rows.at(-1)).id : null,
  };
}

/** All events before `before` of a slice of contacts, for a preview. `last` as above. */
export async function countOldEvents(
  scope: Scope,
  before: number,
  after: number,
): Promise<{ events: number; last: number | null }> {
  const rows = await scope.run(sql<{ id: number; old: number }>`
    select id, (
      select count(*) from events where events.workspace_id = ${scope.id} and events.contact_id = contacts.id
        and events.created_at < ${before}
    ) as old from contacts where workspace_id = ${scope.id} and id > ${after}
    order by id limit ${sql.lit(CONTACTS_AT_ONCE)}`);
  const events = rows.reduce((sum, { old }) => sum + old, 0);
  return { events, last: rows.length === CONTACTS_AT_ONCE ? must(rows.at(-1)).id : null };
}

/** As many of `contacts` as one transaction takes; one with more events than that alone. */
export function takeAtOnce(contacts: OldEvents['contacts']): OldEvents['contacts'] {
  let sum = 0;
  const taken = contacts.filter(({ old }) => (sum += old) <= EVENTS_AT_ONCE);
  return taken.length === 0 ? contacts.slice(0, 1) : taken;
}

/**
 * Deletes the events before `before` of contacts that `takeAtOnce` gave: all of several, and the oldest of one. Gives how many. Contacts that
 * were erased meanwhile are left to their erasure.
 */
export async function deleteOldEvents(scope: Scope, before: number, contacts: OldEvents['contacts']): Promise<number> {
  const ids = contacts.map(({ id }) => id);
  const found = await scope.select('contacts').select('id').where('id', 'in', ids).execute();
  const existing = found.map(({ id }) => id);
  if (existing.length === 0) return 0;
  const [only] = existing.length === 1 ? existing : [];
  const until = only === undefined ? null : await findEnd(scope, before, only);
  const deleted = await scope.run(sql<{ contact_id: number; event_name: string }>`
    delete from events where workspace_id = ${scope.id} and contact_id in (${sql.join(existing)})
      and created_at < ${before}
      ${until === null ? sql`` : sql`and (created_at, uuid) <= (${until.created_at}, ${until.uuid})`}
    returning contact_id, event_name`);
  await uncountEvents(scope, deleted);
  return deleted.length;
}

/** The last event that is deleted of a contact; null where there are no more. */
async function findEnd(scope: Scope, before: number, contactId: number) {
  const [row = null] = await scope.run(sql<{ created_at: number; uuid: string }>`
    select created_at, uuid from events
    where workspace_id = ${scope.id} and contact_id = ${contactId} and created_at < ${before}
    order by created_at, uuid limit 1 offset ${sql.lit(EVENTS_AT_ONCE - 1)}`);
  return row;
}

async function uncountEvents(
  scope: Scope,
  deleted: readonly { contact_id: number; event_name: string }[],
): Promise<void> {
  const byName = Map.groupBy(deleted, ({ contact_id, event_name }) => JSON.stringify([contact_id, event_name]));
  const rows = Array.from(byName.values(), (events) => {
    const { contact_id, event_name } = must(events[0]);
    return { contact_id, event_name, name_key: foldSearch(event_name), count: -events.length };
  });
  await upsertRows(
    scope,
    'event_names',
    rows,
    'on conflict (workspace_id, contact_id, event_name) do update set count = event_names.count + excluded.count',
  );
  const ids = [...new Set(rows.map(({ contact_id }) => contact_id))];
  if (ids.length === 0) return;
  await scope.delete('event_names').where('contact_id', 'in', ids).where('count', '=', 0).execute();
}
