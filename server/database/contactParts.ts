import { sql } from 'kysely';
import { must } from '#contract/must.ts';
import {
  comparePlace,
  comparePlaces,
  CONTACT_ORDER_NAMES,
  type ContactOrderName,
  isSamePlace,
  type ListedContact,
  orderColumns,
  type Place,
  placeOf,
  selectPlace,
  START,
} from './contactOrders.ts';
import { PART_LEVELS, PART_SIZES } from './contactPartSizes.ts';
import { type ContactPart, FIRST_PLACE, isPart, PART_COLUMNS, type PartChange, placeValues } from './contactPart.ts';
import { engineOf } from './engine.ts';
import { upsertRows } from './insertRows.ts';
import type { Scope, ScopedId } from './scope.ts';
import { defineScopedStatement } from './statement.ts';

// Why a page in the middle of the list of contacts costs no more than the first: docs/decisions/0036-contact-parts.md.
//
// Each order of the list is divided into parts, and these again into parts of the second level. A row of contact_parts has the place of
// the first contact of a part, and counts its contacts. It reaches to the next part of its level. Each part but the first of all
// begins with a contact that exists, and each part of the second level begins with one of the first level.

/** From so many changes on, reading the parts that they may be in takes less time than finding each of them there. */
const CHANGES_MIN = 20;
/** How many parts are read, if there are not more changes. */
const PARTS_MIN = 100;

/** A contact that was added (`before` is null), changed, or removed (`after` is null). */
export type ContactChange = { before: ListedContact | null; after: ListedContact | null };

/** Updates the counters, after all contacts of `changes` were written. A contact may have changed several times. */
export async function updateContactParts(scope: Scope, changes: readonly ContactChange[]): Promise<void> {
  const moves = changes.flatMap(toPartChanges);
  if (moves.length === 0) return;
  const engine = engineOf(scope.kysely);
  const summed = await sumByPart(scope, moves);
  let touched = await engine.addToParts(scope, summed);
  if (touched.length === 0) {
    await addFirstParts(scope, { count: 0, subscribed: 0 });
    touched = await engine.addToParts(scope, summed);
  }
  // The last row of a part has what is stored now.
  const parts = new Map(touched.map((part) => [nameOf(part), part]));
  for (const move of moves) {
    if (move.count >= 0) continue;
    const begun = PART_LEVELS.flatMap((level) => parts.get(nameOf({ ...move, level })) ?? []);
    if (begun.length === 0) continue;
    const next = await moveFirstPlace(scope, move);
    for (const part of begun) {
      parts.delete(nameOf(part));
      if (next === null || part.count === 0) continue;
      const moved = { ...part, ...next };
      parts.set(nameOf(moved), moved);
    }
  }
  const sparse = [...parts.values()].filter(({ level, count }) => count < PART_SIZES.min[level]);
  const joined = [];
  for (const part of sparse) joined.push(await joinWithPrevious(scope, part));
  // Those of the second level are split between those of the first.
  const full = [...parts.values(), ...joined.filter((part) => part !== null)]
    .filter(({ level, count }) => count > PART_SIZES.max[level])
    .toSorted((one, other) => one.level - other.level);
  if (full.length === 0) return;
  await engine.stepInOrder(scope, async () => {
    for (const part of full) await split(scope, part);
  });
}

/** Counts all contacts anew. */
export async function rebuildContactParts(scope: Scope): Promise<void> {
  await scope.delete('contact_parts').execute();
  const rows = await scope.run(sql<{ count: number; subscribed: number }>`
    select count(*) as count, cast(coalesce(sum(subscribed), 0) as bigint) as subscribed
    from contacts where workspace_id = ${scope.id}`);
  const all = must(rows[0]);
  await addFirstParts(scope, all);
  await engineOf(scope.kysely).stepInOrder(scope, async () => {
    for (const level of PART_LEVELS) {
      for (const list of CONTACT_ORDER_NAMES) {
        if (all.count > PART_SIZES.max[level]) await split(scope, { ...START, ...all, list, level });
      }
    }
  });
}

const nameOf = ({ list, level, text, time, uuid }: Pick<ContactPart, 'list' | 'level' | keyof Place>) =>
  `${level} ${list} ${time} ${uuid} ${text}`;

function toPartChanges({ before, after }: ContactChange): PartChange[] {
  return CONTACT_ORDER_NAMES.flatMap((list) => {
    const left = before && { list, ...placeOf(before, list), count: -1, subscribed: -before.subscribed };
    const taken = after && { list, ...placeOf(after, list), count: 1, subscribed: after.subscribed };
    if (left === null || taken === null) return [left ?? taken ?? []].flat();
    if (!isSamePlace(left, taken)) return [left, taken];
    const subscribed = left.subscribed + taken.subscribed;
    return subscribed === 0 ? [] : { ...taken, count: 0, subscribed };
  });
}

/** For each level. What is known to be in the same part is one change. */
async function sumByPart(scope: Scope, changes: readonly PartChange[]): Promise<ContactPart[]> {
  const summed: ContactPart[] = [];
  for (const [list, all] of Map.groupBy(changes, (change) => change.list)) {
    const sorted = all.length < CHANGES_MIN ? null : all.toSorted(comparePlaces);
    for (const level of PART_LEVELS) {
      const sums = sorted === null ? null : await sumByKnownPart(scope, { list, level }, sorted);
      for (const change of sums ?? all) summed.push({ ...change, level });
    }
  }
  return summed;
}

/** One change for each part, at its first place; null where the changes are spread over too many parts. */
async function sumByKnownPart(
  scope: Scope,
  list: Pick<ContactPart, 'list' | 'level'>,
  sorted: readonly PartChange[],
): Promise<PartChange[] | null> {
  const partsMax = Math.max(PARTS_MIN, sorted.length);
  const places = await scope.run(sql<Place>`
    select first_text as text, first_time as time, first_uuid as uuid from contact_parts
    where ${isPart(scope, list)} and (${FIRST_PLACE}) <= (${placeValues(must(sorted.at(-1)))})
    order by first_text desc, first_time desc, first_uuid desc limit cast(${partsMax} as integer)`);
  let place = places.pop();
  if (place === undefined || comparePlaces(place, must(sorted[0])) > 0) return null;
  const sums: PartChange[] = [];
  for (const change of sorted) {
    for (let next = places.at(-1); next !== undefined && comparePlaces(next, change) <= 0; next = places.at(-1)) {
      place = places.pop() ?? place;
    }
    let sum = sums.at(-1);
    if (sum === undefined || !isSamePlace(sum, place)) {
      sum = { ...place, list: list.list, count: 0, subscribed: 0 };
      sums.push(sum);
    }
    sum.count += change.count;
    sum.subscribed += change.subscribed;
  }
  return sums;
}

/** The parts at the start of each order, in which all contacts are. */
async function addFirstParts(scope: Scope, all: Pick<PartChange, 'count' | 'subscribed'>): Promise<void> {
  const rows = PART_LEVELS.flatMap((level) => CONTACT_ORDER_NAMES.map((list) => ({ list, level, ...START, ...all })));
  await insertParts(scope, rows);
}

async function insertParts(scope: Scope, parts: readonly ContactPart[]): Promise<void> {
  const rows = parts.map(({ list, level, text, time, uuid, count, subscribed }) => {
    return { list, level, first_text: text, first_time: time, first_uuid: uuid, count, subscribed };
  });
  await upsertRows(scope, 'contact_parts', rows, '');
}

/**
 * Lets the parts that began with a contact that is no longer at `place` begin with the next contact. So no part has the name of
 * somebody who was erased. Gives the place where they begin now; null where no contact follows.
 */
async function moveFirstPlace(scope: Scope, { list, ...place }: PartChange): Promise<Place | null> {
  const [next] = await scope.run(sql<Place>`
    select ${selectPlace(list)} from contacts
    where workspace_id = ${scope.id} and ${comparePlace(list, '>=', place)} order by ${orderColumns(list)} limit 1`);
  if (next !== undefined && isSamePlace(next, place)) return next;
  for (const level of PART_LEVELS) {
    const begins = sql`${isPart(scope, { list, level })} and (${FIRST_PLACE}) = (${placeValues(place)})`;
    await scope.run(sql`delete from contact_parts where ${begins} and count = 0`);
    if (next === undefined) continue;
    await scope.run(sql`
      update contact_parts set first_text = ${next.text}, first_time = ${next.time}, first_uuid = ${next.uuid} where ${begins}`);
  }
  return next ?? null;
}

/** Gives the part that got the contacts; null where `part` stays, or is no longer there. */
async function joinWithPrevious(scope: Scope, part: ContactPart): Promise<ContactPart | null> {
  if (isSamePlace(part, START)) return null;
  const begins = sql`(${FIRST_PLACE}) = (${placeValues(part)})`;
  const isNeeded = sql`${sql.lit(part.level)} = 0 and exists (
    select 1 from contact_parts where ${isPart(scope, { ...part, level: 1 })} and ${begins})`;
  const [removed] = await scope.run(sql<{ count: number; subscribed: number }>`
    delete from contact_parts where ${isPart(scope, part)} and ${begins} and not (${isNeeded})
    returning count, subscribed`);
  if (removed === undefined) return null;
  const rows = await scope.run(sql<ContactPart>`
    update contact_parts set count = count + ${removed.count}, subscribed = subscribed + ${removed.subscribed}
    where ${isPart(scope, part)} and (${FIRST_PLACE}) = (
      select ${FIRST_PLACE} from contact_parts
      where ${isPart(scope, part)} and (${FIRST_PLACE}) < (${placeValues(part)})
      order by first_text desc, first_time desc, first_uuid desc limit 1)
    returning ${PART_COLUMNS}`);
  return must(rows[0]);
}

/** A place in a part, with the contacts of the part before it. */
type Cut = Place & { count: number; subscribed: number };

/** Divides `part` into parts of about half of what one may have. */
async function split(scope: Scope, part: ContactPart): Promise<void> {
  // Two that were joined with the same one are both split here.
  const [stored] = await scope.run(sql<ContactPart>`
    select ${PART_COLUMNS} from contact_parts
    where ${isPart(scope, part)} and (${FIRST_PLACE}) = (${placeValues(part)})`);
  if (stored === undefined || stored.count <= PART_SIZES.max[part.level]) return;
  const size = Math.ceil(stored.count / Math.floor(stored.count / (PART_SIZES.max[part.level] / 2)));
  const cuts = stored.level === 0 ? await cutContacts(scope, stored, size) : await cutParts(scope, stored, size);
  const ends = [...cuts.slice(1), stored];
  const added = cuts.map((cut, index) => ({
    ...stored,
    text: cut.text,
    time: cut.time,
    uuid: cut.uuid,
    count: must(ends[index]).count - cut.count,
    subscribed: must(ends[index]).subscribed - cut.subscribed,
  }));
  const [first] = cuts;
  if (first === undefined) return;
  await scope.run(sql`
    update contact_parts set count = ${first.count}, subscribed = ${first.subscribed}
    where ${isPart(scope, stored)} and (${FIRST_PLACE}) = (${placeValues(stored)})`);
  await insertParts(scope, added);
}

/** A place after every `size` contacts of the part. */
async function cutContacts(scope: Scope, part: ContactPart, size: number): Promise<Cut[]> {
  const cuts: Cut[] = [];
  let last: Cut = { ...part, count: 0, subscribed: 0 };
  while (part.count - last.count > size) {
    const [next] = await placeAfter[part.list](scope, size, last.text, last.time, last.uuid);
    if (next === undefined) break;
    last = { ...next, count: last.count + size, subscribed: last.subscribed + next.subscribed };
    cuts.push(last);
  }
  return cuts;
}

type PlaceAfter = (
  scope: Scope,
  size: number,
  ...from: [text: string, time: number, uuid: string]
) => Promise<(Place & { subscribed: number })[]>;

/** The place `size` contacts after another one, and how many from there to it are subscribed. It only steps over entries of the index. */
const placeAfter = Object.fromEntries(
  CONTACT_ORDER_NAMES.map((list) => {
    const select = (workspaceId: ScopedId, size: number, text: string, time: number, uuid: string) => {
      const behind = sql`
        from contacts where workspace_id = ${workspaceId} and ${comparePlace(list, '>=', { text, time, uuid })}
        order by ${orderColumns(list)}`;
      return sql<Place & { subscribed: number }>`
        select ${selectPlace(list)}, (
          select sum(subscribed) from (select subscribed ${behind} limit cast(${size} as integer)) as passed
        ) as subscribed
        ${behind} limit 1 offset cast(${size} as integer)`;
    };
    return [list, defineScopedStatement(select)];
  }),
) as Record<ContactOrderName, PlaceAfter>;

/** The first of its parts after every `size` contacts. */
async function cutParts(scope: Scope, part: ContactPart, size: number): Promise<Cut[]> {
  const parts = await scope.run(sql<ContactPart>`
    select ${PART_COLUMNS} from contact_parts
    where ${isPart(scope, { list: part.list, level: 0 })} and (${FIRST_PLACE}) >= (${placeValues(part)})
    order by ${FIRST_PLACE}`);
  const cuts: Cut[] = [];
  const before = { count: 0, subscribed: 0 };
  for (const one of parts) {
    if (before.count >= part.count) break;
    if (before.count >= (cuts.length + 1) * size) cuts.push({ ...one, ...before });
    before.count += one.count;
    before.subscribed += one.subscribed;
  }
  return cuts;
}
