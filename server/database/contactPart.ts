import { type RawBuilder, sql } from 'kysely';
import { compareWithBoth, type ContactOrderName, type Place, type PlaceKey } from './contactOrders.ts';
import type { PartLevel } from './contactPartSizes.ts';
import type { Scope } from './scope.ts';

// A row of contact_parts (contactParts.ts).

/** How many contacts more there are at a place, and how many more of them are subscribed. */
export type PartChange = Place & { list: ContactOrderName; count: number; subscribed: number };
export type ContactPart = PartChange & { level: PartLevel };

/** The columns of a part. */
export const PART_COLUMNS = sql`list, level, first_text as text, first_time as time, first_uuid as uuid, count, subscribed`;

/** Columns of the place of a part. */
export const FIRST_PLACE = sql`first_text, first_time, first_uuid`;

const PLACE_KEYS: readonly PlaceKey[] = [
  { column: 'first_text', key: 'text' },
  { column: 'first_time', key: 'time' },
  { column: 'first_uuid', key: 'uuid' },
];

/** A condition: the part begins at `place` or behind it. */
export const beginsFrom = (place: Place): RawBuilder<unknown> => sql`(${FIRST_PLACE}) >= (${placeValues(place)})`;

/** A condition: the part begins at `from` or behind it, and before `to` or at most at it. */
export function beginsBetween(from: Place, comparison: '<' | '<=', to: Place): RawBuilder<unknown> {
  return compareWithBoth(PLACE_KEYS, from, comparison, to);
}

export const placeValues = ({ text, time, uuid }: Place): RawBuilder<unknown> =>
  sql`${text}, cast(${time} as bigint), ${uuid}`;

/** A condition: a part of this order and level. */
export function isPart(scope: Scope, { list, level }: Pick<ContactPart, 'list' | 'level'>): RawBuilder<unknown> {
  return sql`workspace_id = ${scope.id} and list = ${list} and level = ${sql.lit(level)}`;
}
