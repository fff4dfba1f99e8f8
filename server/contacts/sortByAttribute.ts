import { sql, type SqlBool } from 'kysely';
import type { Contact } from '#contract/contact.ts';
import {
  ATTRIBUTE_PREFIX,
  type CheckedListQuery,
  createPageMeta,
  type Page,
  SCANNED_MAX,
  type Sort,
  SORTING,
} from '#contract/list.ts';
import { ITERATION_PAGE_SIZE, iteratePages } from '../database/paging/iteratePages.ts';
import { type ListSource, readRows } from '../database/paging/listPage.ts';
import type { Scope } from '../database/scope.ts';
import { toIndexedValue } from './attributeIndex/values.ts';
import { contactOf, parseAttributes } from './contactRow.ts';
import { InvalidFilterError } from './filter/contactFilter.ts';

type Place = { id: number; uuid: string; value: string | null };

/**
 * A page of contacts by an attribute: dates, then numbers, then texts in any letter case; those without one value come last, in both
 * directions. Throws `InvalidFilterError` if there are too many to read all.
 */
export async function readSortedPage(
  scope: Scope,
  list: ListSource<'contacts'>,
  { id, desc }: Sort,
  query: CheckedListQuery,
): Promise<Page<Contact>> {
  const total = list.matching?.total ?? list.size;
  const name = id.slice(ATTRIBUTE_PREFIX.length);
  if (total > SCANNED_MAX) {
    const most = SCANNED_MAX.toLocaleString('en');
    throw new InvalidFilterError([`At most ${most} contacts are sorted by ${name}. Filter the list.`], SORTING);
  }
  const places = await readPlaces(scope, list, name);
  places.sort((one, other) => compare(one, other, desc));
  const from = (query.page - 1) * query.per_page;
  const keys = places.slice(from, from + query.per_page).map((place) => place.id);
  const rows = await readRows(scope, { table: 'contacts', key: 'id' }, keys);
  return { data: rows.map(contactOf), meta: createPageMeta(query, total) };
}

async function readPlaces(scope: Scope, { within, matching }: ListSource, name: string): Promise<Place[]> {
  const places: Place[] = [];
  const rows = iteratePages((last: { id: number; uuid: string; attributes: string } | null) =>
    scope
      .select('contacts')
      .select(['id', 'uuid', 'attributes'])
      .where(within)
      .where(matching?.condition ?? sql<SqlBool>`true`)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(ITERATION_PAGE_SIZE)
      .execute(),
  );
  for await (const { id, uuid, attributes } of rows) {
    const indexed = toIndexedValue(parseAttributes(attributes)?.[name]);
    // `d` and `n` begin the ranks of dates and numbers.
    places.push({ id, uuid, value: indexed && (indexed.value_rank ?? `t${indexed.value_key}`) });
  }
  return places;
}

function compare(one: Place, other: Place, desc: boolean): number {
  if (one.value === other.value) return one.uuid < other.uuid === desc ? 1 : -1;
  if (one.value === null || other.value === null) return one.value === null ? 1 : -1;
  return one.value < other.value === desc ? 1 : -1;
}
