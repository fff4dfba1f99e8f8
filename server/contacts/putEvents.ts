import { sql } from 'kysely';
import { hash, randomUUID } from 'node:crypto';
import { type Attributes, UUID } from '#contract/field.ts';
import type { FieldError } from '#contract/list.ts';
import { foldText } from '../database/containing.ts';
import { chunks } from '../database/chunks.ts';
import type { Transaction } from '../database/database.ts';
import { insertRows } from '../database/insertRows.ts';
import type { Tables } from '../database/tables.ts';
import type { Workspace } from '../workspaces/store.ts';
import { attributeFaults } from './attributes.ts';
import { countPeriods } from './eventPeriods.ts';
import { findContacts } from './identities.ts';
import type { Outcome } from './store.ts';

/** An event to import. `contact` is a UUID or an identity; `created_at` is milliseconds, now when it is missing. */
export type ImportedEvent = {
  contact: string;
  uuid?: string;
  event_name: string;
  attributes: Attributes;
  created_at?: number;
};

type EventRow = Tables['events'];

type NewEvent = {
  row: EventRow;
  /** Its position among the events to import. */
  index: number;
};

const NAME_MAX = 255;
/** Contacts whose counters one statement moves. */
const CONTACTS_MAX = 500;

/**
 * Adds events to contacts; one outcome for each. An event that is there (by UUID, or the same in everything when it
 * comes without one but with a time) changes nothing. The counters are kept in the same transaction.
 */
export async function putEvents(
  workspace: Workspace,
  trx: Transaction,
  events: readonly ImportedEvent[],
  now: number,
): Promise<Outcome[]> {
  const outcomes = events.map((event): Outcome => eventFaults(event));
  const sound = events.flatMap((event, index) => (outcomes[index]?.length === 0 ? { event, index } : []));
  const contacts = await findContacts(workspace, trx, new Set(sound.map(({ event }) => event.contact)));
  const given: NewEvent[] = [];
  for (const { event, index } of sound) {
    const contact = contacts.get(event.contact);
    if (contact === undefined) {
      outcomes[index] = [{ field: 'contact', message: 'No contact has this UUID or identity.' }];
    } else {
      outcomes[index] = 'unchanged';
      given.push({ index, row: newRow(workspace, contact, event, now) });
    }
  }
  const added = await insertEvents(trx, given);
  for (const { index } of added) outcomes[index] = 'added';
  await countEvents(
    workspace,
    trx,
    added.map(({ row }) => row),
  );
  return outcomes;
}

function eventFaults({ uuid, event_name, attributes }: ImportedEvent): FieldError[] {
  const faults = attributeFaults(attributes);
  if (uuid !== undefined && !UUID.test(uuid)) faults.push({ field: 'uuid', message: 'uuid is not a UUID.' });
  const fault = nameFault(event_name);
  if (fault !== null) faults.push({ field: 'event_name', message: `event_name ${fault}` });
  return faults;
}

function nameFault(name: string): string | null {
  if (name.trim() === '') return 'is empty.';
  if (name.length > NAME_MAX) return `is longer than ${NAME_MAX} characters.`;
  return name.includes('\u0000') || !name.isWellFormed() ? 'contains a character that no name can hold.' : null;
}

function newRow(
  workspace: Workspace,
  contact: { id: number; uuid: string },
  event: ImportedEvent,
  now: number,
): EventRow {
  const attributes = JSON.stringify(event.attributes);
  const created_at = event.created_at ?? now;
  const content = [workspace.uuid, contact.uuid, event.event_name, created_at, attributes];
  const made = () => (event.created_at === undefined ? randomUUID() : uuidOf(JSON.stringify(content)));
  const uuid = event.uuid?.toLowerCase() ?? made();
  const { event_name } = event;
  return { workspace_id: workspace.id, contact_id: contact.id, created_at, uuid, event_name, attributes };
}

/** A UUID that always is the same for the same content (version 8 of RFC 9562). */
function uuidOf(content: string): string {
  const hex = hash('sha256', content);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The events among `given` that were not there. */
async function insertEvents(trx: Transaction, given: readonly NewEvent[]): Promise<NewEvent[]> {
  const inserted = await insertRows<{ uuid: string }>(
    trx,
    'events',
    given.map(({ row }) => row),
    'on conflict do nothing returning uuid',
  );
  const uuids = new Set(inserted.map((row) => row.uuid));
  return given.filter(({ row }) => uuids.delete(row.uuid));
}

async function countEvents(workspace: Workspace, trx: Transaction, added: readonly EventRow[]): Promise<void> {
  const names = new Map<string, Tables['event_names']>();
  for (const { workspace_id, contact_id, event_name } of added) {
    const key = `${contact_id} ${event_name}`;
    const row = names.get(key) ?? { workspace_id, contact_id, event_name, name_key: foldText(event_name), count: 0 };
    row.count++;
    names.set(key, row);
  }
  await insertRows(
    trx,
    'event_names',
    [...names.values()],
    'on conflict (workspace_id, contact_id, event_name) do update set count = event_names.count + excluded.count',
  );
  const byContact = Map.groupBy(added, ({ contact_id }) => contact_id);
  for (const chunk of chunks([...byContact], CONTACTS_MAX)) {
    const counts = sql.join(chunk.map(([id, { length }]) => sql`(cast(${id} as bigint), cast(${length} as bigint))`));
    const { rows } = await sql<{ id: number; event_count: number }>`
      with added (contact_id, more) as (values ${counts})
      update contacts set event_count = event_count + added.more from added
      where contacts.workspace_id = ${workspace.id} and contacts.id = added.contact_id
      returning id, event_count`.execute(trx);
    for (const { id, event_count } of rows) {
      const events = byContact.get(id) ?? [];
      await countPeriods(trx, { workspace_id: workspace.id, contact_id: id }, event_count - events.length, events);
    }
  }
}
