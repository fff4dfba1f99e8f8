import { LRUCache } from 'lru-cache';
import type { CheckedListQuery } from '#contract/list.ts';
import { engineOf } from './engine.ts';
import { type ListSource, type MatchingRows, selectKeys, type SortTerm } from './listPage.ts';
import type { Scope } from './scope.ts';

// The ids of all contacts that a search finds, in the order of its list. Finding and sorting many takes most of the time of a page that is
// far from both ends, and the pages of one search follow each other.

/** Bytes of all orders that are kept: those that were used last. */
const KEPT_MAX = 64 * 1024 * 1024;
/** See `readIds`. */
const ID_BYTES = 4;

/** By the search (searchTotals.ts) and its order. */
const orders = new LRUCache<string, Buffer>({ maxSize: KEPT_MAX, sizeCalculation: ({ length }) => length || 1 });

/** Whether an order of so many contacts is kept. */
export function mayKeepOrder(total: number): boolean {
  return total * ID_BYTES <= KEPT_MAX;
}

/** The ids of a page from the order that is kept as `key`. If there is none, it is read first: all matching contacts of the list. */
export async function readOrderedIds(
  scope: Scope,
  readList: () => Promise<ListSource & { matching: MatchingRows }>,
  order: readonly SortTerm[],
  key: string,
  { page, per_page }: Pick<CheckedListQuery, 'page' | 'per_page'>,
): Promise<number[]> {
  let ids = orders.get(key);
  if (ids === undefined) {
    const list = await readList();
    const keys = selectKeys(scope, list, order, { skip: 0, limit: list.matching.total, isTurned: false });
    const read = await engineOf(scope.kysely).readIds(scope, keys);
    ids = Buffer.from(read.buffer as ArrayBuffer, read.byteOffset, read.byteLength);
    orders.set(key, ids);
  }
  const wanted = ids.subarray((page - 1) * per_page * ID_BYTES, page * per_page * ID_BYTES);
  return Array.from({ length: wanted.length / ID_BYTES }, (_, index) => wanted.readUInt32BE(index * ID_BYTES));
}
