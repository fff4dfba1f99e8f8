import { type RawBuilder, sql } from 'kysely';
import type { ContactOrderName, Place } from './contactOrders.ts';
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

export const placeValues = ({ text, time, uuid }: Place): RawBuilder<unknown> =>
  sql`${text}, cast(${time} as bigint), ${uuid}`;

/** A condition: a part of this order and level. */
export function isPart(scope: Scope, { list, level }: Pick<ContactPart, 'list' | 'level'>): RawBuilder<unknown> {
  return sql`workspace_id = ${scope.id} and list = ${list} and level = ${sql.lit(level)}`;
}
