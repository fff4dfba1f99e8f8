import type { Event } from '#contract/event.ts';
import type { Attributes } from '#contract/field.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import { iteratePages, ITERATION_PAGE_SIZE } from '../database/iteratePages.ts';

/** All events of the workspace with the UUIDs of their contacts, contact by contact, oldest first. */
export async function* iterateEvents(scope: Scope): AsyncGenerator<Event & { contact: string }> {
  const all = scope
    .select('events')
    .innerJoin('contacts', (join) =>
      join.onRef('contacts.workspace_id', '=', 'events.workspace_id').onRef('contacts.id', '=', 'events.contact_id'),
    )
    .select([
      'contact_id',
      'events.created_at',
      'events.uuid',
      'event_name',
      'events.attributes',
      'contacts.uuid as contact',
    ])
    .orderBy('events.contact_id')
    .orderBy('events.created_at')
    .orderBy('events.uuid')
    .limit(ITERATION_PAGE_SIZE);
  const rows = iteratePages<Awaited<ReturnType<typeof all.execute>>[number]>((last) =>
    last === null
      ? all.execute()
      : all
          .where((row) =>
            row.eb(
              row.refTuple('events.contact_id', 'events.created_at', 'events.uuid'),
              '>',
              row.tuple(last.contact_id, last.created_at, last.uuid),
            ),
          )
          .execute(),
  );
  for await (const { uuid, contact, event_name, attributes, created_at } of rows) {
    yield {
      uuid,
      contact,
      event_name,
      attributes: JSON.parse(attributes) as Attributes,
      created_at: timestamp(created_at),
    };
  }
}
