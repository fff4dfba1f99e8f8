import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Sort } from '#contract/list.ts';
import { containsWords } from '../search/textSearch.ts';
import { engineOf } from '../engine.ts';
import { NEWEST_FIRST } from './listPage.ts';
import type { Scope, ScopedId } from '../scope.ts';
import { defineScopedStatement } from '../statement.ts';

export type EventRow = { uuid: string; event_name: string; attributes: string; created_at: number };
type NameCount = { event_name: string; count: number };

/** The list of the events of a contact, and the part of it to read. */
export type EventList = {
  scope: Scope;
  contactId: number;
  /** Each is part of the names of the listed events. */
  words: readonly string[];
  offset: number;
  limit: number;
};

/** `from` and `where` of the names of a contact that contain all `words`, or of `name` alone if it does. */
export const namesMatching = (workspaceId: ScopedId, contactId: number, words: readonly string[], name?: string) => sql`
  from event_names where workspace_id = ${workspaceId} and contact_id = ${contactId}
    ${name === undefined ? sql`` : sql`and event_name = ${name}`}
    and ${containsWords<'event_names'>('name_key', words)}`;

/** `name` with the number of its events, if there are any and it contains all `words`. */
export const exactName = (scope: Scope, contactId: number, words: readonly string[], name: string) =>
  scope.run(sql<NameCount>`select event_name, count ${namesMatching(scope.id, contactId, words, name)}`);

/** The event names of a contact that contain all `words`, with the number of events of each. */
export const namesInOrder = defineScopedStatement(
  (workspaceId: ScopedId, contactId: number, ...words: string[]) =>
    sql<NameCount>`select event_name, count ${namesMatching(workspaceId, contactId, words)} order by event_name`,
);

/** Reads in the order of names, and of `rest` within a name. The counters in `names` tell which names the page touches. */
export async function readByName(
  list: EventList,
  [first, ...rest]: readonly Sort[],
  names: readonly NameCount[],
): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  let { offset } = list;
  for (const name of must(first).desc ? names.toReversed() : names) {
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
 * Reads in the order of time from the nearer end of the list, so that the last page costs as much as the first. `names` picks
 * some events, null is all; `total` is how many these are.
 */
export async function readByTime(
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

async function readOnwards(
  list: EventList,
  time: Sort,
  name: Sort | undefined,
  names: readonly NameCount[] | null,
): Promise<EventRow[]> {
  const { scope, contactId, limit, offset } = list;
  const order = orderBy(time.desc, name);
  const from = sql`from events where workspace_id = ${scope.id} and contact_id = ${contactId}`;
  if (names === null && name === undefined) {
    return scope.run(pageByKeys(list, sql`select created_at, uuid ${from}`, order, limit, offset));
  }
  if (names === null) return scope.run(sql<EventRow>`select ${COLUMNS} ${from} ${order} ${pageOf(limit, offset)}`);
  const set = nameSet(list, names);
  const engine = engineOf(scope.kysely);
  const nameTexts = names.map(({ event_name }) => event_name);
  const keys = engine.selectEventKeys({ from, names: nameTexts, nameSet: set, order, until: offset + limit });
  if (keys !== null) return scope.run(pageByKeys(list, keys, order, limit, offset));
  return scope.run(sql<EventRow>`
    select ${COLUMNS} ${from} and ${engine.cancellationCheck()} and event_name in (${set}) ${order} ${pageOf(limit, offset)}`);
}

/**
 * Reads `keys` from the index alone, and the rest for the rows of the page only. Each has subqueries of its own: for a join PostgreSQL
 * may compare it with all events of the contact.
 */
function pageByKeys(
  { scope, contactId }: EventList,
  keys: RawBuilder<unknown>,
  order: RawBuilder<unknown>,
  limit: number,
  skip: number,
): RawBuilder<EventRow> {
  const read = (column: 'event_name' | 'attributes') => sql`(
    select ${sql.ref(column)} from events
    where workspace_id = ${scope.id} and contact_id = ${contactId}
      and events.created_at = page.created_at and events.uuid = page.uuid) as ${sql.ref(column)}`;
  return sql<EventRow>`
    select uuid, created_at, ${read('event_name')}, ${read('attributes')}
    from (${keys} ${order} ${pageOf(limit, skip)}) as page ${order}`;
}

export const COLUMNS = sql`uuid, event_name, attributes, created_at`;

export function orderBy(desc: boolean, name?: Sort): RawBuilder<unknown> {
  const direction = sql.raw(desc ? 'desc' : 'asc');
  const second = name === undefined ? sql`` : sql`event_name ${sql.raw(name.desc ? 'desc' : 'asc')},`;
  return sql`order by created_at ${direction}, ${second} uuid ${direction}`;
}

/** The casts keep SQLite from preparing the statement again for each value. */
export function pageOf(limit: number, skip: number): RawBuilder<unknown> {
  return sql`limit cast(${limit} as integer) offset cast(${skip} as integer)`;
}

/** `names` for `in ()`: the only one, or the search that found them, which is short however many there are. */
function nameSet({ scope, contactId, words }: EventList, names: readonly NameCount[]): RawBuilder<unknown> {
  if (names.length === 1) return sql`${must(names[0]).event_name}`;
  return sql`select event_name ${namesMatching(scope.id, contactId, words)}`;
}
