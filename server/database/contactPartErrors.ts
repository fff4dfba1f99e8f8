import { sql } from 'kysely';
import { must } from '#contract/must.ts';
import {
  comparePlace,
  CONTACT_ORDER_NAMES,
  isBetween,
  isSamePlace,
  type Place,
  selectPlace,
  START,
} from './contactOrders.ts';
import {
  beginsBetween,
  beginsFrom,
  type ContactPart,
  FIRST_PLACE,
  isPart,
  PART_COLUMNS,
  placeValues,
} from './contactPart.ts';
import { PART_LEVELS, PART_SIZES } from './contactPartSizes.ts';
import { engineOf } from './engine.ts';
import type { Scope } from './scope.ts';

/** Parts that are counted at once: of those of contacts, some ten thousand contacts. */
const PARTS_AT_ONCE = 20;

/** The order and level of a part. */
export type PartList = Pick<ContactPart, 'list' | 'level'>;
export const PART_LISTS: readonly PartList[] = PART_LEVELS.flatMap((level) =>
  CONTACT_ORDER_NAMES.map((list) => ({ list, level })),
);

/** A part, with a sentence where its counters are wrong. */
export type CheckedPart = { part: ContactPart; error: string | null };

/** Counts again what is in the next parts after `last`; from the start where it is null. */
export async function checkPartsAfter(scope: Scope, list: PartList, last: ContactPart | null): Promise<CheckedPart[]> {
  const after = last === null ? sql`` : sql`and (${FIRST_PLACE}) > (${placeValues(last)})`;
  const parts = await scope.run(sql<ContactPart>`
    select ${PART_COLUMNS} from contact_parts where ${isPart(scope, list)} ${after}
    order by ${FIRST_PLACE} limit ${sql.lit(PARTS_AT_ONCE + 1)}`);
  const checked: CheckedPart[] = [];
  await engineOf(scope.kysely).stepInOrder(scope, async () => {
    for (const [index, part] of parts.slice(0, PARTS_AT_ONCE).entries()) {
      checked.push({ part, error: await findPartError(scope, part, parts[index + 1] ?? null) });
    }
  });
  return checked;
}

/** A sentence for the start of a list, where no part begins although there are contacts; else null. */
export async function findStartError(scope: Scope, list: PartList): Promise<string | null> {
  const { contact_count } = await scope.selectOwn().select('contact_count').executeTakeFirstOrThrow();
  const rows = await scope.run(sql`
    select 1 as found from contact_parts where ${isPart(scope, list)} and (${FIRST_PLACE}) = (${placeValues(START)})`);
  return rows.length > 0 || contact_count === 0 ? null : `Of ${nameOf(list)}, the first are not counted.`;
}

type Counted = { count: number; subscribed: number; first: number };

async function findPartError(scope: Scope, part: ContactPart, next: Place | null): Promise<string | null> {
  const counted = part.level === 0 ? await countContacts(scope, part, next) : await countParts(scope, part, next);
  const isStart = isSamePlace(part, START);
  const where = `Of ${nameOf(part)}, from ${isStart ? 'the first' : `contact ${part.uuid}`} on`;
  if (counted.count !== part.count || counted.subscribed !== part.subscribed) {
    return (
      `${where}, there are ${counted.count} (${counted.subscribed} subscribed), ` +
      `and ${part.count} (${part.subscribed}) are counted.`
    );
  }
  const max = PART_SIZES.max[part.level];
  if (part.count > max) return `${where}, there are ${part.count} in one part, which may have ${max}.`;
  // No contact is at the start of an order; a part is.
  return counted.first === 1 || (isStart && part.level === 0) ? null : `${where}: it is not there.`;
}

const nameOf = ({ list, level }: PartList) =>
  `the contacts in the order ${list}${level === 0 ? '' : ', counted by parts'}`;

async function countContacts(scope: Scope, part: ContactPart, next: Place | null): Promise<Counted> {
  const { list } = part;
  const isIn = next === null ? comparePlace(list, '>=', part) : isBetween(list, part, next);
  const rows = await scope.run(sql<Counted>`
    select count(*) as count, cast(coalesce(sum(subscribed), 0) as bigint) as subscribed,
      cast(coalesce(sum(case when (text, time, uuid) = (${placeValues(part)}) then 1 else 0 end), 0) as bigint) as first
    from (
      select ${selectPlace(list)}, subscribed from contacts
      where workspace_id = ${scope.id} and ${isIn}
    ) as listed`);
  return must(rows[0]);
}

async function countParts(scope: Scope, part: ContactPart, next: Place | null): Promise<Counted> {
  const isIn = next === null ? beginsFrom(part) : beginsBetween(part, '<', next);
  const rows = await scope.run(sql<Counted>`
    select cast(coalesce(sum(count), 0) as bigint) as count, cast(coalesce(sum(subscribed), 0) as bigint) as subscribed,
      cast(coalesce(sum(case when (${FIRST_PLACE}) = (${placeValues(part)}) then 1 else 0 end), 0) as bigint) as first
    from contact_parts
    where ${isPart(scope, { list: part.list, level: 0 })} and ${isIn}`);
  return must(rows[0]);
}
