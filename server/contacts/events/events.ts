import { type RawBuilder, sql } from 'kysely';
import { type CheckedListQuery, createPageMeta } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import { lookUp } from '../../database/lookUp.ts';
import { parseSearch } from '../../database/search/textSearch.ts';
import type { Database } from '../../database/database.ts';
import type { Scope, ScopedId } from '../../database/scope.ts';
import { NEWEST_FIRST } from '../../database/paging/listPage.ts';
import { limitPageBytes, hasLargeRows } from '../../database/paging/pageSize.ts';
import { defineScopedStatement } from '../../database/statement.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import {
  COLUMNS,
  type EventList,
  type EventRow,
  exactName,
  namesInOrder,
  orderBy,
  pageOf,
  readByName,
  readByTime,
} from '../../database/paging/eventPages.ts';
import { selectEventCount } from '../../database/paging/eventCounts.ts';
import { selectContactByKeys, type ContactLookupKeys, toContactLookupKeys } from '../identities/identities.ts';
import { EXPORT_PAGE_SIZE, iterateLines } from '../../database/paging/iteratePages.ts';

/** Events that a page near the end of the list may skip. */
const NEAR_MAX = 1_000;

/**
 * A page of the events of the contact that `value` names, as JSON text of a `Page<Event>`. Stored attributes are JSON already:
 * parsing and serializing them would cost more than the rest of the call. Null when there is no such contact. Newest first unless
 * sorted; within one name newest first; equal rows by uuid.
 */
export async function listContactEvents(
  workspace: Workspace,
  db: Database,
  value: string,
  requestedQuery: CheckedListQuery,
): Promise<string | null> {
  const { search, sorting, filters } = requestedQuery;
  const name = typeof filters.event_name === 'string' ? filters.event_name : undefined;
  const isSearched = search !== '' || name !== undefined;
  const [first = NEWEST_FIRST, second] = sorting;
  const keys = toContactLookupKeys(value);
  if (keys === null) return null;
  const byName = first.id === 'event_name';
  if (!isSearched && !byName && second === undefined && offsetOf(requestedQuery) <= NEAR_MAX) {
    const near = first.desc ? nearNewest : nearOldest;
    const rows = await db.read(
      workspace,
      (scope) => near(scope, requestedQuery.per_page, offsetOf(requestedQuery), ...keys),
      { isSingle: true },
    );
    if (rows[0] !== undefined) return pageText(requestedQuery, rows[0].event_count, rows);
  }
  return db.read(
    workspace,
    async (scope) => {
      const [contact] = await eventOwner(scope, ...keys);
      if (contact === undefined) return null;
      const within = eventsOf(scope.id, sql`${contact.id}`);
      const query = contact.has_large ? await limitPageBytes(scope, 'events', within, requestedQuery) : requestedQuery;
      const offset = offsetOf(query);
      const words = parseSearch(search);
      const list: EventList = {
        scope,
        contactId: contact.id,
        words,
        offset,
        limit: query.per_page,
      };
      let names = null;
      if (name !== undefined) names = await exactName(scope, contact.id, words, name);
      else if (words.length > 0 || byName) names = await namesInOrder(scope, contact.id, ...words);
      const total = names === null ? contact.event_count : names.reduce((sum, name) => sum + name.count, 0);

      let rows: EventRow[] = [];
      if (offset < total) {
        if (names !== null && byName) rows = await readByName(list, sorting, names);
        else rows = await readByTime(list, sorting, total === contact.event_count ? null : names, total);
      }
      return pageText(query, total, rows);
    },
    { isLong: true },
  );
}

function offsetOf({ page, per_page }: CheckedListQuery): number {
  return (page - 1) * per_page;
}

function pageText(query: CheckedListQuery, total: number, rows: readonly EventRow[]): string {
  // V8 flattens a concatenated string once, when it is sent; `join` would copy it one more time.
  let events = '';
  for (const row of rows) events += `${events === '' ? '' : ','}${eventText(row)}`;
  return `{"data":[${events}],"meta":${JSON.stringify(createPageMeta(query, total))}}`;
}

function eventText({ uuid, event_name, attributes, created_at }: EventRow): string {
  const name = JSON.stringify(event_name);
  const time = timestamp(created_at);
  return `{"uuid":"${uuid}","event_name":${name},"attributes":${attributes},"created_at":"${time}"}`;
}

type EventOwner = { id: number; event_count: number; has_large: number };

const eventsOf = (workspaceId: ScopedId, contactId: RawBuilder<number>) =>
  sql`workspace_id = ${workspaceId} and contact_id = ${contactId}`;
const selectEventOwner = (workspaceId: ScopedId, ...keys: ContactLookupKeys) => {
  const isLarge = hasLargeRows('events', eventsOf(workspaceId, sql`contacts.id`));
  const count = selectEventCount(workspaceId, sql`contacts.id`);
  return selectContactByKeys<EventOwner>(
    sql`id, ${count} as event_count, ${isLarge} as has_large`,
    workspaceId,
    ...keys,
  );
};
const eventOwner = defineScopedStatement(selectEventOwner);

/**
 * The most frequent case in one statement: the number of all events, and a page near one end of the list. No row where that page is
 * empty, there is no such contact, or some of its events are large.
 */
const near = (desc: boolean) =>
  defineScopedStatement(
    (workspaceId: ScopedId, limit: number, skip: number, ...keys: ContactLookupKeys) => sql<NearRow>`
      with owner as (${selectEventOwner(workspaceId, ...keys)})
      select (select event_count from owner) as event_count, ${COLUMNS} from events
      where workspace_id = ${workspaceId} and contact_id = (select id from owner where has_large = 0)
      ${orderBy(desc)} ${pageOf(limit, skip)}`,
  );
const nearNewest = near(true);
const nearOldest = near(false);
type NearRow = Pick<EventOwner, 'event_count'> & EventRow;

/**
 * All events of the workspace as lines of JSON with the UUIDs of their contacts, a page at a time: contact by contact, oldest first. Those
 * that outlive their erased contact for a while are left out. Stored attributes are JSON already.
 */
export function exportEvents(scope: Scope): AsyncGenerator<string[]> {
  return iterateLines<OwnedEvent>(
    (last) => readEventsAfter(scope, last, EXPORT_PAGE_SIZE),
    async (rows) => {
      // Not a join: PostgreSQL would read all contacts from the first one on for each page.
      const contactOf = await lookUp<number, string>(
        scope,
        { table: 'contacts', fixed: {}, key: 'id' },
        'uuid',
        rows.map(({ contact_id }) => contact_id),
      );
      return rows.map((row) => ownedEventText(row, must(contactOf.get(row.contact_id))));
    },
  );
}

type OwnedEvent = EventRow & { contact_id: number };

function readEventsAfter(scope: Scope, last: OwnedEvent | null, limit: number): Promise<OwnedEvent[]> {
  const after =
    last === null
      ? sql``
      : sql`and (contact_id, created_at, uuid) > (${last.contact_id}, ${last.created_at}, ${last.uuid})`;
  return scope.run(sql<OwnedEvent>`
    select contact_id, created_at, uuid, event_name, attributes from events
    where workspace_id = ${scope.id} ${after}
      and contact_id not in (
        select contact_id from erasures where workspace_id = ${scope.id} and finished_at is null
      )
    order by contact_id, created_at, uuid limit ${sql.lit(limit)}`);
}

function ownedEventText({ uuid, event_name, attributes, created_at }: OwnedEvent, contact: string): string {
  const name = JSON.stringify(event_name);
  const time = timestamp(created_at);
  return `{"uuid":"${uuid}","contact":"${contact}","event_name":${name},"attributes":${attributes},"created_at":"${time}"}`;
}
