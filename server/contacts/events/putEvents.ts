import { hash, randomUUIDv7 } from 'node:crypto';
import { must } from '#contract/values/must.ts';
import type { FieldError } from '#contract/list.ts';
import { foldSearch } from '../../database/search/textSearch.ts';
import type { NewRow, Scope } from '../../database/scope.ts';
import { lookUp } from '../../database/lookUp.ts';
import { insertNewRows, upsertRows } from '../../database/insertRows.ts';
import type { Workspace } from '../../database/workspace.ts';
import { type CheckedEvent, checkEvent, type ImportedEvent } from './checkEvent.ts';
import { findErasedIdentities } from '../identities/erasedIdentities.ts';
import { type ContactIds, findContactIds, findContacts } from '../identities/identities.ts';
import { parseContactReference } from '../identities/identity.ts';
import type { ImportOutcome } from '../../database/importOutcome.ts';

type EventRow = NewRow<'events'>;

export const NO_CONTACT: FieldError = { field: 'contact', message: 'No contact has this UUID or identity.' };
export const OTHERS_EVENT: FieldError = { field: 'uuid', message: 'An event of another contact has this uuid.' };

/**
 * Adds events to contacts, and gives one outcome for each event. An event that exists already changes nothing: one with the same
 * UUID, or the same in everything where a time but no UUID is given. A UUID of another contact's event is an error. The counters are updated in the same transaction.
 */
export async function putEvents(scope: Scope, events: readonly ImportedEvent[], now: number): Promise<ImportOutcome[]> {
  return putCheckedEvents(scope, events.map(checkEvent), now);
}

/** `putEvents` for events that are checked already, or the errors of which are known. */
export async function putCheckedEvents(
  scope: Scope,
  events: readonly (CheckedEvent | FieldError[])[],
  now: number,
): Promise<ImportOutcome[]> {
  const outcomes = events.map((event): ImportOutcome => (Array.isArray(event) ? event : 'unchanged'));
  const valid = events.flatMap((event) => (Array.isArray(event) ? [] : event));
  const contacts = await findAgain(scope, valid);
  const open = valid.flatMap(({ contact }) => (contacts.has(contact) ? [] : contact));
  for (const [value, contact] of await findContacts(scope, new Set(open))) contacts.set(value, contact);
  const refusals = await describeUnknown(
    scope,
    valid.flatMap(({ contact }) => (contacts.has(contact) ? [] : contact)),
  );
  const rows: EventRow[] = [];
  const indexes: number[] = [];
  // On PostgreSQL they are made while those before them are inserted.
  function* makeRows(): Iterable<EventRow> {
    for (const [index, event] of events.entries()) {
      if (Array.isArray(event)) continue;
      const contact = contacts.get(event.contact);
      if (contact === undefined) {
        outcomes[index] = [refusals.get(event.contact) ?? NO_CONTACT];
      } else {
        const row = newRow(scope.workspace, contact, event, now);
        rows.push(row);
        indexes.push(index);
        yield row;
      }
    }
  }
  const isNew = await insertNewRows(scope, 'events', 'uuid', makeRows());
  const others = await findOthersEvents(
    scope,
    rows.filter((_, at) => !isNew[at]),
  );
  for (const [at, index] of indexes.entries()) {
    if (isNew[at]) outcomes[index] = 'added';
    else if (others.has(must(rows[at]))) outcomes[index] = [OTHERS_EVENT];
  }
  await countEvents(
    scope,
    rows.filter((_, at) => isNew[at]),
  );
  return outcomes;
}

/** The contacts that were looked up before and are still there, by what names them. */
async function findAgain(scope: Scope, events: readonly CheckedEvent[]): Promise<Map<string, ContactIds>> {
  const ids = new Map<string, number>();
  for (const { contact, contact_id } of events) if (contact_id !== undefined) ids.set(contact, contact_id);
  const contacts = { table: 'contacts', fixed: {}, key: 'id' } as const;
  const uuids = await lookUp<number, string>(scope, contacts, 'uuid', ids.values());
  const found = new Map<string, ContactIds>();
  for (const [value, id] of ids) {
    const uuid = uuids.get(id);
    if (uuid !== undefined) found.set(value, { id, uuid });
  }
  return found;
}

/**
 * The places of `events` contact by contact, and with their contacts: in the order of a log, each event changes other pages of the
 * database. Of events with the same UUID the first is written first, whatever their contacts are.
 */
export async function arrangeEvents(
  scope: Scope,
  events: readonly CheckedEvent[],
): Promise<{ place: number; line: CheckedEvent }[]> {
  const contacts = await findContactIds(scope, new Set(events.map(({ contact }) => contact)));
  const ids = events.map(({ contact }) => contacts.get(contact) ?? Infinity);
  const seen = new Set<string>();
  const [first, again] = [[] as number[], [] as number[]];
  for (const [place, { uuid }] of events.entries()) {
    const key = uuid?.toLowerCase();
    (key !== undefined && seen.has(key) ? again : first).push(place);
    if (key !== undefined) seen.add(key);
  }
  // A stable sort: those of a contact stay in the order of the file.
  first.sort((one, other) => (ids[one] === ids[other] ? 0 : must(ids[one]) - must(ids[other])));
  return [...first, ...again].map((place) => {
    const event = must(events[place]);
    const contact_id = contacts.get(event.contact);
    return { place, line: contact_id === undefined ? event : { ...event, contact_id } };
  });
}

/** Those of `values`, which name no contact, that name somebody who was erased. */
async function describeUnknown(scope: Scope, values: readonly string[]): Promise<Map<string, FieldError>> {
  const identities = [...new Set(values)].filter((value) => !('uuid' in parseContactReference(value)));
  const erased = await findErasedIdentities(scope, identities);
  return new Map(Array.from(erased, ([value, message]) => [value, { field: 'contact', message }]));
}

/** Those of `rows`, whose UUIDs are stored, that are stored for another contact. */
async function findOthersEvents(scope: Scope, rows: readonly EventRow[]): Promise<Set<EventRow>> {
  const events = { table: 'events', fixed: {}, key: 'uuid' } as const;
  const owners = await lookUp<string, number>(
    scope,
    events,
    'contact_id',
    rows.map(({ uuid }) => uuid),
  );
  return new Set(rows.filter(({ uuid, contact_id }) => owners.get(uuid) !== contact_id));
}

function newRow(
  workspace: Workspace,
  contact: { id: number; uuid: string },
  event: CheckedEvent,
  now: number,
): EventRow {
  const { attributes, event_name } = event;
  const created_at = event.created_at ?? now;
  const newUuid = () =>
    event.created_at === undefined
      ? randomUUIDv7()
      : uuidOf(created_at, JSON.stringify([workspace.uuid, contact.uuid, event_name, created_at, attributes]));
  const uuid = event.uuid?.toLowerCase() ?? newUuid();
  return { contact_id: contact.id, created_at, uuid, event_name, attributes };
}

/**
 * A UUID that is always the same for the same content (version 8 of RFC 9562). It begins with the time, so that the index of UUIDs
 * grows at its end when events come in the order of time.
 */
function uuidOf(time: number, content: string): string {
  const start = (time < 0 ? time + 2 ** 48 : time).toString(16).padStart(12, '0');
  const hex = hash('sha256', content);
  return `${start.slice(0, 8)}-${start.slice(8)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Counts the events in `added` by name. */
async function countEvents(scope: Scope, added: readonly EventRow[]): Promise<void> {
  const names = [...Map.groupBy(added, ({ contact_id }) => contact_id)].flatMap(([contact_id, events]) =>
    [...Map.groupBy(events, ({ event_name }) => event_name)].map(([event_name, { length: count }]) => {
      return { contact_id, event_name, name_key: foldSearch(event_name), count };
    }),
  );
  await upsertRows(
    scope,
    'event_names',
    names,
    'on conflict (workspace_id, contact_id, event_name) do update set count = event_names.count + excluded.count',
  );
}
