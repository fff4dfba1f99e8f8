import { hash, randomUUID } from 'node:crypto';
import { type Attributes, UUID } from '#contract/field.ts';
import type { FieldError } from '#contract/list.ts';
import { foldText } from '../database/containing.ts';
import { chunks } from '../database/chunks.ts';
import type { Transaction } from '../database/database.ts';
import type { Workspace } from '../workspaces/store.ts';
import { attributeFaults } from './attributes.ts';
import { countPeriods, type Owner } from './eventPeriods.ts';
import { findContactRow } from './identities.ts';
import type { Outcome } from './store.ts';

/** An event to import. `contact` is a UUID or an identity; `created_at` is milliseconds, now when it is missing. */
export type ImportedEvent = {
  contact: string;
  uuid?: string;
  event_name: string;
  attributes: Attributes;
  created_at?: number;
};

type NewEvent = {
  row: { uuid: string; event_name: string; attributes: string; created_at: number };
  /** Its position among the events to import. */
  index: number;
};

const NAME_MAX = 255;

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
  const byContact = Map.groupBy(
    events.keys().filter((index) => outcomes[index]?.length === 0),
    (index) => events[index]?.contact ?? '',
  );
  for (const [value, indexes] of byContact) {
    const contact = await findContactRow(workspace, trx, value);
    if (contact === null) {
      for (const index of indexes)
        outcomes[index] = [{ field: 'contact', message: 'No contact has this UUID or identity.' }];
      continue;
    }
    const given = indexes.map((index) => newEvent(workspace, contact.uuid, events[index] as ImportedEvent, index, now));
    const owner: Owner = { workspace_id: workspace.id, contact_id: contact.id };
    const added = await insertEvents(trx, owner, given);
    for (const { index } of given) outcomes[index] = 'unchanged';
    for (const { index } of added) outcomes[index] = 'added';
    await countEvents(trx, owner, added);
  }
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

function newEvent(
  workspace: Workspace,
  contactUuid: string,
  event: ImportedEvent,
  index: number,
  now: number,
): NewEvent {
  const attributes = JSON.stringify(event.attributes);
  const created_at = event.created_at ?? now;
  const content = [workspace.uuid, contactUuid, event.event_name, created_at, attributes];
  const made = event.created_at === undefined ? randomUUID() : uuidOf(JSON.stringify(content));
  const uuid = (event.uuid ?? made).toLowerCase();
  return { index, row: { uuid, event_name: event.event_name, attributes, created_at } };
}

/** A UUID that always is the same for the same content (version 8 of RFC 9562). */
function uuidOf(content: string): string {
  const hex = hash('sha256', content);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The events among `given` that were not there. */
async function insertEvents(trx: Transaction, owner: Owner, given: readonly NewEvent[]): Promise<NewEvent[]> {
  const added: NewEvent[] = [];
  for (const chunk of chunks(given, 100)) {
    const inserted = await trx
      .insertInto('events')
      .values(chunk.map(({ row }) => ({ ...owner, ...row })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('uuid')
      .execute();
    const uuids = new Set(inserted.map((row) => row.uuid));
    added.push(...chunk.filter(({ row }) => uuids.delete(row.uuid)));
  }
  return added;
}

async function countEvents(trx: Transaction, owner: Owner, added: readonly NewEvent[]): Promise<void> {
  if (added.length === 0) return;
  const { event_count } = await trx
    .updateTable('contacts')
    .set((row) => ({ event_count: row('event_count', '+', added.length) }))
    .where('workspace_id', '=', owner.workspace_id)
    .where('id', '=', owner.contact_id)
    .returning('event_count')
    .executeTakeFirstOrThrow();
  const names = Map.groupBy(added, ({ row }) => row.event_name);
  for (const chunk of chunks([...names], 100)) {
    await trx
      .insertInto('event_names')
      .values(
        chunk.map(([name, { length }]) => ({ ...owner, event_name: name, name_key: foldText(name), count: length })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'contact_id', 'event_name'])
          .doUpdateSet((row) => ({ count: row('event_names.count', '+', row.ref('excluded.count')) })),
      )
      .execute();
  }
  await countPeriods(
    trx,
    owner,
    event_count - added.length,
    added.map(({ row }) => row),
  );
}
