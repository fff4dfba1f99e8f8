import { type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';
import { FOREVER, NEVER } from './timestamp.ts';

// The orders of the list of contacts that have counters (contactParts.ts). Each has an index of its columns, `uuid`, `subscribed` and
// `id`, after the workspace.

/** By a text, by a time, or by the UUID alone; equal contacts by UUID. */
type ContactOrder = {
  readonly text?: 'email_key' | 'first_name_key' | 'last_name_key' | 'company_key';
  readonly time?: 'created_at' | 'updated_at';
};

export const CONTACT_ORDERS = {
  email: { text: 'email_key' },
  first_name: { text: 'first_name_key' },
  last_name: { text: 'last_name_key' },
  company: { text: 'company_key' },
  created_at: { time: 'created_at' },
  updated_at: { time: 'updated_at' },
  uuid: {},
} as const satisfies Readonly<Record<string, ContactOrder>>;

export type ContactOrderName = keyof typeof CONTACT_ORDERS;
export const CONTACT_ORDER_NAMES = Object.keys(CONTACT_ORDERS) as ContactOrderName[];

/** The columns of a contact that its places depend on, and whether it is counted as subscribed. */
export type ListedContact = Pick<
  Tables['contacts'],
  'uuid' | 'subscribed' | 'email_key' | 'first_name_key' | 'last_name_key' | 'company_key' | 'created_at' | 'updated_at'
>;

/** A place in an order, compared column by column. The text is empty, and the time 0, where the order has none. */
export type Place = { text: string; time: number; uuid: string };

/** Before the place of every contact. */
export const START: Place = { text: '', time: NEVER, uuid: '' };

export function isSamePlace(one: Place, other: Place): boolean {
  return one.uuid === other.uuid && one.time === other.time && one.text === other.text;
}

/** Negative where `one` comes first. Texts are compared by their bytes, as both engines do. */
export function comparePlaces(one: Place, other: Place): number {
  if (one.text !== other.text) return compareBytes(one.text, other.text);
  if (one.time !== other.time) return one.time - other.time;
  return one.uuid === other.uuid ? 0 : compareBytes(one.uuid, other.uuid);
}

/** Of two texts that differ: by the first UTF-16 unit that does. */
function compareBytes(one: string, other: string): number {
  let at = 0;
  while (one.charCodeAt(at) === other.charCodeAt(at)) at++;
  if (at === one.length || at === other.length) return one.length - other.length;
  return orderOfUnit(one.charCodeAt(at)) - orderOfUnit(other.charCodeAt(at));
}

/** UTF-16 has the order of UTF-8, but for the halves of characters that take two units: these come after all others. */
function orderOfUnit(unit: number): number {
  const isHalf = unit >= 0xd800 && unit <= 0xdfff;
  return isHalf ? unit + 0x10000 : unit;
}

export function placeOf(contact: ListedContact, name: ContactOrderName): Place {
  const { text, time }: ContactOrder = CONTACT_ORDERS[name];
  return {
    text: text === undefined ? '' : contact[text],
    time: time === undefined ? 0 : contact[time],
    uuid: contact.uuid,
  };
}

/** Before and after the contacts with one value of the first column of an order. */
export function boundsOf(name: ContactOrderName, value: string | number): [before: Place, after: Place] {
  // No UUID is empty, or has a tilde.
  return [
    { text: '', time: NEVER, uuid: '', ...nameValue(name, value) },
    { text: '', time: FOREVER, uuid: '~', ...nameValue(name, value) },
  ];
}

function nameValue(name: ContactOrderName, value: string | number): Partial<Place> {
  const order: ContactOrder = CONTACT_ORDERS[name];
  return order.text === undefined ? { time: Number(value) } : { text: String(value) };
}

/** The column of contacts that the order is by; null where it is the UUID alone. */
export function columnOf(name: ContactOrderName): string | null {
  const { text, time }: ContactOrder = CONTACT_ORDERS[name];
  return text ?? time ?? null;
}

/** The place of a contact, as columns `text`, `time` and `uuid` of a result. */
export function selectPlace(name: ContactOrderName): RawBuilder<unknown> {
  const { text, time }: ContactOrder = CONTACT_ORDERS[name];
  return sql`
    ${text === undefined ? sql`''` : sql.ref(text)} as text,
    ${time === undefined ? sql`0` : sql.ref(time)} as time, uuid`;
}

/** A condition: the contact stands at `place` or behind it (`>=`), or before it (`<`). */
export function comparePlace(name: ContactOrderName, comparison: '>=' | '<', place: Place): RawBuilder<unknown> {
  return compareRows(keysOf(name), comparison, place);
}

/** A condition: the contact stands at `from` or behind it, and before `to`. */
export function isBetween(name: ContactOrderName, from: Place, to: Place): RawBuilder<unknown> {
  return compareWithBoth(keysOf(name), from, '<', to);
}

/** A column, and which value of a place it is compared with. */
export type PlaceKey = { column: string; key: keyof Place };

function keysOf(name: ContactOrderName): PlaceKey[] {
  const { text, time }: ContactOrder = CONTACT_ORDERS[name];
  const byUuid: PlaceKey = { column: 'uuid', key: 'uuid' };
  if (text !== undefined) return [{ column: text, key: 'text' }, byUuid];
  return time === undefined ? [byUuid] : [{ column: time, key: 'time' }, byUuid];
}

/**
 * A condition: `keys` are at `from` or behind it, and before `to` or at most at it. What both have in common is compared by itself: a
 * comparison of rows ends PostgreSQL's scan of an index by its first column alone, so it would read on through all that are equal there.
 */
export function compareWithBoth(
  keys: readonly PlaceKey[],
  from: Place,
  comparison: '<' | '<=',
  to: Place,
): RawBuilder<unknown> {
  let shared = 0;
  for (const { key } of keys.slice(0, -1)) {
    if (from[key] !== to[key]) break;
    shared++;
  }
  const equal = keys.slice(0, shared).map(({ column, key }) => sql`${sql.ref(column)} = ${valueOf(from, key)}`);
  const rest = keys.slice(shared);
  return sql.join([...equal, compareRows(rest, '>=', from), compareRows(rest, comparison, to)], sql` and `);
}

function compareRows(keys: readonly PlaceKey[], comparison: '>=' | '<' | '<=', place: Place): RawBuilder<unknown> {
  const columns = keys.map(({ column }) => sql.ref(column));
  const values = keys.map(({ key }) => valueOf(place, key));
  return sql`(${sql.join(columns)}) ${sql.raw(comparison)} (${sql.join(values)})`;
}

function valueOf(place: Place, key: keyof Place): RawBuilder<unknown> {
  return key === 'time' ? sql`cast(${place.time} as bigint)` : sql`${place[key]}`;
}

/** The columns of the order, with the UUID. */
export function orderColumns(name: ContactOrderName): RawBuilder<unknown> {
  return sql.join(keysOf(name).map(({ column }) => sql.ref(column)));
}
