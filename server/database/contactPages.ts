import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/must.ts';
import type { CheckedListQuery, Sort } from '#contract/list.ts';
import {
  boundsOf,
  columnOf,
  comparePlace,
  CONTACT_ORDERS,
  type ContactOrderName,
  orderColumns,
  type Place,
  selectPlace,
  START,
} from './contactOrders.ts';
import { beginsBetween, beginsFrom, FIRST_PLACE, isPart } from './contactPart.ts';
import { type PartLevel, PART_SIZES } from './contactPartSizes.ts';
import { type CountedRows, engineOf, type RowKey } from './engine.ts';
import { buildOrder } from './listPage.ts';
import type { Scope } from './scope.ts';

// Finds a page of the list of contacts by the counters of its parts: docs/decisions/0036-contact-parts.md. A rank is the number of
// contacts before one, from the start of an order, which is ascending.

/** The contacts of a workspace, or those of them that are subscribed (1) or not (0). */
export type ContactList = {
  scope: Scope;
  key: RowKey;
  subscribed: 0 | 1 | null;
  sizes: Readonly<Record<0 | 1, number>>;
};

/** A column of contacts; the orders of all but `subscribed` have counters. */
type ContactSort = { id: Exclude<ContactOrderName, 'uuid'> | 'subscribed'; desc: boolean };

type CountedSort = ContactSort & { id: ContactOrderName };
const TIMES_AND_NUMBERS: ReadonlySet<string> = new Set(['subscribed', 'created_at', 'updated_at']);

const DISAGREE = 'The counters of contacts disagree with each other: run `admin check --rebuild-lists`.';

type RowKeys = (string | number)[];

/** Where in a list, and how many contacts. All of them are there. */
type Stretch = { skip: number; limit: number };

export function countOf({ subscribed, sizes }: ContactList): number {
  return subscribed === null ? sizes[0] + sizes[1] : sizes[subscribed];
}

/** The keys of a page in the order of `sorting`; equal contacts by UUID, in the direction of the last column. */
export function readContactKeys(
  list: ContactList,
  sorting: readonly Sort[],
  { page, per_page }: Pick<CheckedListQuery, 'page' | 'per_page'>,
): Promise<RowKeys> {
  const skip = (page - 1) * per_page;
  const limit = Math.min(per_page, countOf(list) - skip);
  return limit <= 0 ? Promise.resolve([]) : readSorted(list, sorting as ContactSort[], { skip, limit });
}

async function readSorted(list: ContactList, [first, ...rest]: readonly ContactSort[], stretch: Stretch) {
  const { id, desc } = must(first);
  if (id === 'subscribed') return readBySubscription(list, desc, rest, stretch);
  if (rest.length > 0) return readGroups(list, { id, desc }, rest, stretch);
  return keysOf(await readDirected(list, id, desc, stretch));
}

/** All of one subscription, then all of the other. */
async function readBySubscription(
  list: ContactList,
  desc: boolean,
  rest: readonly ContactSort[],
  { skip, limit }: Stretch,
): Promise<RowKeys> {
  const keys: RowKeys = [];
  for (const subscribed of desc ? ([1, 0] as const) : ([0, 1] as const)) {
    if (list.subscribed !== null && list.subscribed !== subscribed) continue;
    const part = { ...list, subscribed };
    const wanted = { skip, limit: Math.min(limit - keys.length, countOf(part) - skip) };
    skip = Math.max(0, skip - countOf(part));
    if (wanted.limit <= 0) continue;
    keys.push(
      ...(rest.length > 0
        ? await readSorted(part, rest, wanted)
        : keysOf(await readDirected(part, 'uuid', desc, wanted))),
    );
  }
  return keys;
}

/**
 * Groups are contacts that are equal in the first column. A stretch is the end of a group, groups as a whole, and the beginning of a
 * group; or all of it is in one group. Which groups these are says the order by the first column alone.
 */
async function readGroups(
  list: ContactList,
  first: CountedSort,
  rest: readonly ContactSort[],
  stretch: Stretch,
): Promise<RowKeys> {
  const column = sql.ref(must(columnOf(first.id)));
  const values = (await readDirected(list, first.id, first.desc, stretch)).map((one) => valueOf(first.id, one));
  const value = must(values[0]);
  const last = must(values.at(-1));
  const inFirst = values.lastIndexOf(value) + 1;
  const keys = await readFirstGroup(list, first, rest, value, { ...stretch, limit: inFirst }, value !== last);
  if (value === last) return keys;
  const inLast = values.length - values.indexOf(last);
  const between = values.length - inFirst - inLast;
  if (between > 0) {
    const [low, high] = first.desc ? [last, value] : [value, last];
    const isBetween = sql`${column} > ${toValue(low)} and ${column} < ${toValue(high)}`;
    keys.push(...(await readWhere(list, isBetween, first, [first, ...rest], { skip: 0, limit: between })));
  }
  return [
    ...keys,
    ...(await readWhere(list, sql`${column} = ${toValue(last)}`, first, rest, { skip: 0, limit: inLast })),
  ];
}

/** `stretch` of the group of `value`, from the nearer end of the group. */
async function readFirstGroup(
  list: ContactList,
  first: CountedSort,
  rest: readonly ContactSort[],
  value: string | number,
  { skip, limit }: Stretch,
  isToItsEnd: boolean,
): Promise<RowKeys> {
  const [low, high] = boundsOf(first.id, value);
  const rank = async (place: Place) => {
    const before = await rankOf(list, first.id, place);
    return first.desc ? countOf(list) - before : before;
  };
  const before = skip - (await rank(first.desc ? high : low));
  const after = isToItsEnd ? 0 : (await rank(first.desc ? low : high)) - skip - limit;
  if (before < 0 || after < 0) throw new Error(DISAGREE);
  const isOfGroup = sql`${sql.ref(must(columnOf(first.id)))} = ${toValue(value)}`;
  if (after >= before) return readWhere(list, isOfGroup, first, rest, { skip: before, limit });
  const turned = rest.map(({ id, desc }) => ({ id, desc: !desc }));
  return (await readWhere(list, isOfGroup, first, turned, { skip: after, limit })).toReversed();
}

/** Those for which `condition` holds; by company, then creation, from an index, else all of them are sorted. */
async function readWhere(
  { scope, key, subscribed }: ContactList,
  condition: RawBuilder<unknown>,
  first: CountedSort,
  columns: readonly ContactSort[],
  { skip, limit }: Stretch,
): Promise<RowKeys> {
  const isIndexed = first.id === 'company' && columns.length === 1 && columns[0]?.id === 'created_at';
  const order = columns.map(({ id, desc }) => {
    const column = sql.ref(id === 'subscribed' ? id : must(columnOf(id)));
    // By expressions, else SQLite would read all contacts by an index in this order.
    const empty = TIMES_AND_NUMBERS.has(id) ? sql`0` : sql`''`;
    return { by: isIndexed ? column : sql`coalesce(${column}, ${empty})`, desc };
  });
  const found = await scope.run(sql<{ key: string | number }>`
    select ${sql.ref(key)} as key from contacts where ${isListed({ scope, subscribed })} and ${condition} ${buildOrder(order, false)}
    limit cast(${limit} as integer) offset cast(${skip} as integer)`);
  return found.map((one) => one.key);
}

type FoundContact = { key: string | number; text: string; time: number };

const keysOf = (contacts: readonly FoundContact[]) => contacts.map(({ key }) => key);
const valueOf = (name: ContactOrderName, { text, time }: FoundContact) =>
  'text' in CONTACT_ORDERS[name] ? text : time;
const toValue = (value: string | number) => (typeof value === 'number' ? sql`cast(${value} as bigint)` : sql`${value}`);

async function readDirected(
  list: ContactList,
  name: ContactOrderName,
  desc: boolean,
  { skip, limit }: Stretch,
): Promise<FoundContact[]> {
  if (!desc) return readRanks(list, name, { skip, limit });
  const found = await readRanks(list, name, { skip: countOf(list) - skip - limit, limit });
  return found.toReversed();
}

/** Contacts from the rank `skip` on. */
async function readRanks(list: ContactList, name: ContactOrderName, { skip, limit }: Stretch): Promise<FoundContact[]> {
  const after = countOf(list) - skip - limit;
  if (after <= PART_SIZES.skipped && after < skip) {
    const found = await readFrom(list, name, null, { skip: after, limit });
    if (found.length === limit) return found.toReversed();
  }
  const found: FoundContact[] = [];
  let part: PlacedPart | null = skip <= PART_SIZES.skipped ? { place: START, rank: 0 } : null;
  while (found.length < limit) {
    const next = skip + found.length;
    const isCounted = part === null;
    part ??= await findPartAt(list, name, next);
    const more = await readFrom(list, name, part.place, { skip: next - part.rank, limit: limit - found.length });
    if (more.length === 0 && isCounted) throw new Error(DISAGREE);
    found.push(...more);
    part = null;
  }
  return found;
}

/**
 * Reads forwards from `place`, or backwards from the end. Of those of one subscription it gives fewer where many of the other are between
 * them.
 */
function readFrom(
  list: ContactList,
  name: ContactOrderName,
  place: Place | null,
  { skip, limit }: Stretch,
): Promise<FoundContact[]> {
  const column = columnOf(name);
  const from = place === null ? sql`` : sql`and ${comparePlace(name, '>=', place)}`;
  const inOrder = (by: RawBuilder<unknown>[]) =>
    buildOrder(
      by.map((one) => ({ by: one, desc: false })),
      place === null,
    );
  const ordered = inOrder(column === null ? [] : [sql.ref(column)]);
  const page = sql`limit cast(${limit} as integer) offset cast(${skip} as integer)`;
  const isOwn = sql`workspace_id = ${list.scope.id}`;
  if (list.subscribed === null || name === 'uuid') {
    return list.scope.run(sql<FoundContact>`
      select ${sql.ref(list.key)} as key, ${selectPlace(name)} from contacts where ${isListed(list, name)} ${from} ${ordered} ${page}`);
  }
  return list.scope.run(sql<FoundContact>`
    select key, text, time, uuid from (
      select ${sql.ref(list.key)} as key, ${selectPlace(name)}, subscribed from contacts where ${isOwn} ${from} ${ordered}
      limit ${sql.lit(PART_SIZES.walked)}
    ) as walked
    where subscribed = ${sql.lit(list.subscribed)} ${inOrder([sql.ref('text' in CONTACT_ORDERS[name] ? 'text' : 'time')])} ${page}`);
}

/** A condition. `is true` keeps SQLite from using the index by subscription, but where that has the order. */
function isListed(
  { scope, subscribed }: Pick<ContactList, 'scope' | 'subscribed'>,
  name?: ContactOrderName,
): RawBuilder<unknown> {
  const isOwn = sql`workspace_id = ${scope.id}`;
  if (subscribed === null) return isOwn;
  const isWanted = sql`subscribed = ${sql.lit(subscribed)}`;
  return name === 'uuid' ? sql`${isOwn} and ${isWanted}` : sql`${isOwn} and (${isWanted}) is true`;
}

type PlacedPart = { place: Place; rank: number };

/** The part that has the contact at `rank`. */
async function findPartAt(list: ContactList, name: ContactOrderName, rank: number): Promise<PlacedPart> {
  let found: PlacedPart = { place: START, rank: 0 };
  let within = beginsFrom(START);
  for (const level of [1, 0] as const) {
    const parts = selectParts(list, name, level, within);
    const part = await engineOf(list.scope.kysely).findCounted<Place>(parts, rank - found.rank);
    if (part === null) throw new Error(DISAGREE);
    found = { place: part.row, rank: found.rank + part.before };
    within = part.next === undefined ? beginsFrom(part.row) : beginsBetween(part.row, '<', part.next);
  }
  return found;
}

/** How many contacts stand before `place`. */
async function rankOf(list: ContactList, name: ContactOrderName, place: Place): Promise<number> {
  let found: PlacedPart = { place: START, rank: 0 };
  for (const level of [1, 0] as const) {
    const { columns, count, from } = selectParts(list, name, level, beginsBetween(found.place, '<=', place));
    const [part] = await list.scope.run(sql<Place & { before: number }>`
      select ${columns}, cast((select sum(${count}) ${from}) - ${count} as bigint) as before ${from}
      order by first_text desc, first_time desc, first_uuid desc limit 1`);
    found = { place: must(part), rank: found.rank + must(part).before };
  }
  // A part, in its order and with a limit: from statistics PostgreSQL takes what is between two places for a third of all contacts.
  const rows = await list.scope.run(sql<{ count: number }>`
    select count(*) as count from (
      select subscribed, ${orderColumns(name)} from contacts
      where workspace_id = ${list.scope.id} and ${comparePlace(name, '>=', found.place)}
      order by ${orderColumns(name)} limit ${sql.lit(PART_SIZES.max[0])}
    ) as part
    where ${comparePlace(name, '<', place)} ${list.subscribed === null ? sql`` : sql`and subscribed = ${sql.lit(list.subscribed)}`}`);
  return found.rank + must(rows[0]).count;
}

/** The parts of a level for which `condition` holds. */
function selectParts(
  { scope, subscribed }: ContactList,
  name: ContactOrderName,
  level: PartLevel,
  condition: RawBuilder<unknown>,
): CountedRows {
  return {
    scope,
    columns: sql`first_text as text, first_time as time, first_uuid as uuid`,
    count: sql.raw(subscribed === null ? 'count' : subscribed === 1 ? 'subscribed' : '(count - subscribed)'),
    from: sql`
      from contact_parts where ${isPart(scope, { list: name, level })} and ${condition}`,
    order: FIRST_PLACE,
  };
}
