import { type RawBuilder, sql } from 'kysely';
import { type CheckedListQuery, createPageMeta, type Sort } from '#contract/list.ts';
import { containsFoldedText, foldText } from '../database/textSearch.ts';
import type { Database } from '../database/database.ts';
import type { Scope, ScopedId } from '../database/scope.ts';
import { isPostgres, cancellationCheck } from '../database/engine.ts';
import { mayTakeLong, NEWEST_FIRST } from '../database/listPage.ts';
import { limitPageBytes, hasLargeRows } from '../database/pageSize.ts';
import { defineScopedStatement } from '../database/statement.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { findPosition, DIRECT_OFFSET_MAX } from './eventPeriods.ts';
import { selectContactByKeys, type ContactLookupKeys, toContactLookupKeys } from './identities.ts';

/** Up to this many names are read each from its own range of the index and merged; SQLite merges at most 500. */
const ARMS_MAX = 200;

type EventRow = { uuid: string; event_name: string; attributes: string; created_at: number };
type NameCount = { event_name: string; count: number };

/**
 * A page of the events of the contact that `value` names, as JSON text (`Page<Event>`): stored attributes are JSON
 * already, and reading them only to write them again would cost more than the rest of the call. Null when there is no
 * such contact. Newest first unless sorted; within one name the newest first; equal rows by uuid.
 */
export async function listContactEvents(
  workspace: Workspace,
  db: Database,
  value: string,
  requestedQuery: CheckedListQuery,
): Promise<string | null> {
  const { search, sorting } = requestedQuery;
  const [first = NEWEST_FIRST, second] = sorting;
  const reading = toContactLookupKeys(value);
  if (reading === null) return null;
  const byName = first.id === 'event_name';
  if (search === '' && !byName && second === undefined && offsetOf(requestedQuery) <= DIRECT_OFFSET_MAX) {
    const page = await db.readOne(workspace, (scope) => readNear(scope, reading, first.desc, requestedQuery));
    if (page === null) return null;
    if (!page.hasLarge) return pageText(requestedQuery, page.count, page.rows);
  }
  // There may be many names.
  const read = byName || mayTakeLong(requestedQuery) ? db.readLong : db.read;
  return read(workspace, async (scope) => {
    const [contact] = await eventOwner(scope, ...reading);
    if (contact === undefined) return null;
    const within = eventsOf(scope.id, sql`${contact.id}`);
    const query = contact.has_large ? await limitPageBytes(scope, 'events', within, requestedQuery) : requestedQuery;
    const offset = offsetOf(query);
    const list: EventList = {
      scope,
      contactId: contact.id,
      count: contact.event_count,
      search,
      offset,
      limit: query.per_page,
    };
    const names = search === '' && !byName ? null : await namesInOrder(scope, contact.id, foldText(search));
    const total = names === null ? list.count : names.reduce((sum, name) => sum + name.count, 0);

    let rows: EventRow[] = [];
    if (offset < total) {
      if (names !== null && byName) rows = await readByName(list, sorting, names);
      else rows = await readByTime(list, sorting, total === list.count ? null : names, total);
    }
    return pageText(query, total, rows);
  });
}

function offsetOf({ page, per_page }: CheckedListQuery): number {
  return (page - 1) * per_page;
}

function pageText(query: CheckedListQuery, total: number, rows: readonly EventRow[]): string {
  // Text that grows is made whole once, when it is sent; `join` would make it whole twice.
  let events = '';
  for (const row of rows) events += `${events === '' ? '' : ','}${eventText(row)}`;
  return `{"data":[${events}],"meta":${JSON.stringify(createPageMeta(query, total))}}`;
}

function eventText({ uuid, event_name, attributes, created_at }: EventRow): string {
  const name = JSON.stringify(event_name);
  const time = timestamp(created_at);
  return `{"uuid":"${uuid}","event_name":${name},"attributes":${attributes},"created_at":"${time}"}`;
}

type EventList = {
  scope: Scope;
  contactId: number;
  /** How many events the contact has. */
  count: number;
  search: string;
  offset: number;
  limit: number;
};

const namesMatching = (workspaceId: ScopedId, contactId: number, folded: string) => sql`
  from event_names where workspace_id = ${workspaceId} and contact_id = ${contactId}
    and ${containsFoldedText<'event_names'>('name_key', folded)}`;
const namesInOrder = defineScopedStatement(
  (...values: [ScopedId, number, string]) =>
    sql<NameCount>`select event_name, count ${namesMatching(...values)} order by event_name`,
);

/**
 * What most readers want, in one statement: the number of all events, and those near one end, which are not read where some are
 * large. Null for no contact.
 */
async function readNear(
  scope: Scope,
  reading: ContactLookupKeys,
  desc: boolean,
  query: CheckedListQuery,
): Promise<{ count: number; hasLarge: boolean; rows: EventRow[] } | null> {
  const near = desc ? nearNewest : nearOldest;
  const rows = await near(scope, query.per_page, offsetOf(query), ...reading);
  const [first] = rows;
  if (first === undefined) return null;
  return {
    count: first.event_count,
    hasLarge: first.has_large === 1,
    rows: rows.filter((row) => row.uuid !== null),
  };
}

/** Reads name after name: the counters say which of them the page touches. */
async function readByName(
  list: EventList,
  [first, ...rest]: readonly Sort[],
  names: readonly NameCount[],
): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  let { offset } = list;
  for (const name of first?.desc ? names.toReversed() : names) {
    if (rows.length === list.limit) break;
    if (offset < name.count) {
      const within = { ...list, offset, limit: list.limit - rows.length };
      rows.push(...(await readByTime(within, rest, [name], name.count)));
    }
    offset = Math.max(0, offset - name.count);
  }
  return rows;
}

/**
 * Reads in the order of time, all names or some, `total` events, from the nearer end: the last page costs what the first
 * does.
 */
async function readByTime(
  list: EventList,
  [time = NEWEST_FIRST, name]: readonly Sort[],
  names: readonly NameCount[] | null,
  total: number,
): Promise<EventRow[]> {
  const limit = Math.min(list.limit, total - list.offset);
  const after = total - list.offset - limit;
  if (list.offset <= after) return readOnwards({ ...list, limit }, time, name, names);
  const rows = await readOnwards({ ...list, offset: after, limit }, turned(time), name && turned(name), names);
  return rows.toReversed();
}

const turned = ({ id, desc }: Sort): Sort => ({ id, desc: !desc });

/** Reads from the place the counters tell, so that few rows are skipped. */
async function readOnwards(
  list: EventList,
  time: Sort,
  name: Sort | undefined,
  names: readonly NameCount[] | null,
): Promise<EventRow[]> {
  const { scope, contactId, limit } = list;
  const set = names === null ? null : nameSet(list, names);
  const { edge, skip } = await findPosition(scope, contactId, list.count, set, list.offset, time.desc);
  if (set === null && name === undefined) {
    const read = time.desc ? newestFirst : oldestFirst;
    return read(scope, contactId, edge, limit, skip);
  }
  const order = orderBy(time.desc, name);
  const from = eventsFrom(time.desc, scope.id, contactId, edge);
  let query = sql<EventRow>`select ${COLUMNS} ${from} ${order} ${pageOf(limit, skip)}`;
  if (set !== null && names !== null && names.length > 1 && isPostgres(scope.kysely)) {
    // It does not see that each arm of a union is in order already, and would sort all of them; planning many takes long.
    const keys = sql`select created_at, event_name, uuid ${from} and event_name = names.name ${order} ${pageOf(skip + limit, 0)}`;
    query = pageByKeys(
      list,
      sql`select keys.* from (${set}) as names(name) cross join lateral (${keys}) as keys`,
      order,
      limit,
      skip,
    );
  } else if (names !== null && names.length > ARMS_MAX) {
    query = sql`
      select ${COLUMNS} ${from} and ${cancellationCheck(scope.kysely)} and event_name in (${set}) ${order} ${pageOf(limit, skip)}`;
  } else if (names !== null) {
    const arms = names.map(
      ({ event_name }) => sql`select created_at, event_name, uuid ${from} and event_name = ${event_name}`,
    );
    query = pageByKeys(list, sql.join(arms, sql` union all `), order, limit, skip);
  }
  return scope.run(query);
}

/**
 * `keys` come from the index alone; attributes are looked up for the rows of the page only. The cross join keeps SQLite
 * from starting with the events.
 */
function pageByKeys(
  { scope, contactId }: EventList,
  keys: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
  skip: number,
): RawBuilder<EventRow> {
  return sql<EventRow>`
    select page.uuid as uuid, page.event_name as event_name, attributes, page.created_at as created_at
    from (${keys} ${order} ${pageOf(limit, skip)}) as page cross join events
    where events.workspace_id = ${scope.id} and events.contact_id = ${contactId}
      and events.created_at = page.created_at and events.uuid = page.uuid
    ${order}`;
}

const COLUMNS = sql`uuid, event_name, attributes, created_at`;

function eventsFrom(desc: boolean, workspaceId: ScopedId, contactId: number, edge: number): RawBuilder<unknown> {
  return sql`
    from events where workspace_id = ${workspaceId} and contact_id = ${contactId}
      and created_at ${sql.raw(desc ? '<' : '>=')} ${edge}`;
}

function orderBy(desc: boolean, name?: Sort): RawBuilder<unknown> {
  const direction = sql.raw(desc ? 'desc' : 'asc');
  const second = name === undefined ? sql`` : sql`event_name ${sql.raw(name.desc ? 'desc' : 'asc')},`;
  return sql`order by created_at ${direction}, ${second} uuid ${direction}`;
}

/** Without the casts SQLite would look at the values and prepare the statement anew for each of them. */
function pageOf(limit: number, skip: number): RawBuilder<unknown> {
  return sql`limit cast(${limit} as integer) offset cast(${skip} as integer)`;
}

const allNames = (desc: boolean) =>
  defineScopedStatement(
    (workspaceId: ScopedId, contactId: number, edge: number, limit: number, skip: number) => sql<EventRow>`
      select ${COLUMNS} ${eventsFrom(desc, workspaceId, contactId, edge)} ${orderBy(desc)} ${pageOf(limit, skip)}`,
  );
const newestFirst = allNames(true);
const oldestFirst = allNames(false);

type EventOwner = { id: number; event_count: number; has_large: number };

const eventsOf = (workspaceId: ScopedId, contactId: RawBuilder<number>) =>
  sql`workspace_id = ${workspaceId} and contact_id = ${contactId}`;
const eventOwnerNamed = (workspaceId: ScopedId, ...reading: ContactLookupKeys) => {
  const isLarge = hasLargeRows('events', eventsOf(workspaceId, sql`contacts.id`));
  return selectContactByKeys<EventOwner>(sql`id, event_count, ${isLarge} as has_large`, workspaceId, ...reading);
};
const eventOwner = defineScopedStatement(eventOwnerNamed);

const near = (desc: boolean) =>
  defineScopedStatement(
    (workspaceId: ScopedId, limit: number, skip: number, ...reading: ContactLookupKeys) => sql<NearRow>`
      with owner as (${eventOwnerNamed(workspaceId, ...reading)})
      select event_count, has_large, ${COLUMNS} from owner left join (
        select ${COLUMNS} from events
        where workspace_id = ${workspaceId} and contact_id = (select id from owner where has_large = 0)
        ${orderBy(desc)} ${pageOf(limit, skip)}
      ) as page on true ${orderBy(desc)}`,
  );
const nearNewest = near(true);
const nearOldest = near(false);
/** A contact that has no event there has one row all the same. */
type NearRow = Pick<EventOwner, 'event_count' | 'has_large'> & (EventRow | Record<keyof EventRow, null>);

/** `names` for `in`: the only one, or the search that found them, which stays short however many they are. */
function nameSet({ scope, contactId, search }: EventList, names: readonly NameCount[]): RawBuilder<unknown> {
  if (names.length === 1) return sql`${names[0]?.event_name}`;
  return sql`select event_name ${namesMatching(scope.id, contactId, foldText(search))}`;
}
