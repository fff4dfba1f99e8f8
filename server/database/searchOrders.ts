import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { must } from '#contract/must.ts';
import type { CheckedListQuery } from '#contract/list.ts';
import { type ListSource, type MatchingRows, selectKeys, type SortTerm } from './listPage.ts';
import type { Scope } from './scope.ts';

// The ids of all contacts that a search finds, in the order of its list. Finding and sorting many takes most of the time of a page that is
// far from both ends, and the pages of one search follow each other.

/** Characters of all orders that are kept: those that were used last. */
const KEPT_MAX = 32 * 1024 * 1024;

/** Digits of an id, all of the same length: a page is a piece of the text, and nothing else of it is parsed. */
const DIGITS = 10;
const FIRST_NUMBER = 2 ** 32;

/** By the search (searchTotals.ts) and its order. */
const orders = new LRUCache<string, string>({ maxSize: KEPT_MAX, sizeCalculation: (ids) => ids.length || 1 });

/** Whether an order of so many contacts is kept. */
export function mayKeepOrder(total: number): boolean {
  return total * DIGITS <= KEPT_MAX / 2;
}

/** The ids of a page of the matching contacts of `list`, from the order that is kept as `key`. It is read first if there is none. */
export async function readOrderedIds(
  scope: Scope,
  list: ListSource & { matching: MatchingRows },
  order: readonly SortTerm[],
  key: string,
  { page, per_page }: Pick<CheckedListQuery, 'page' | 'per_page'>,
): Promise<number[]> {
  let ids = orders.get(key);
  if (ids === undefined) {
    ids = await readOrder(scope, list, order);
    orders.set(key, ids);
  }
  const first = (page - 1) * per_page * DIGITS;
  const wanted = ids.slice(first, first + per_page * DIGITS);
  return Array.from({ length: wanted.length / DIGITS }, (_, index) => {
    return Number(wanted.slice(index * DIGITS, (index + 1) * DIGITS)) - FIRST_NUMBER;
  });
}

/** As one text: each row of a result takes as long as finding it. */
async function readOrder(
  scope: Scope,
  list: ListSource & { matching: MatchingRows },
  order: readonly SortTerm[],
): Promise<string> {
  const keys = selectKeys(scope, list, order, { skip: 0, limit: list.matching.total, isTurned: false });
  const rows = await scope.run(sql<{ ids: string | null }>`
    select string_agg(cast(key + ${sql.lit(FIRST_NUMBER)} as text), '') as ids from (${keys}) as ordered`);
  return must(rows[0]).ids ?? '';
}
