import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { CheckedListQuery, Sort } from '#contract/list.ts';
import type { Transaction } from './database.ts';
import { engineOf } from './engine.ts';
import { countMatchingRows, type ListSource, type MatchingRows, readKeys, type SortTerm } from './listPage.ts';
import type { Scope } from './scope.ts';
import type { FindDifferences } from './searchIndex.ts';
import { mayKeepOrder, readOrderedIds } from './searchOrders.ts';
import type { SearchTotals } from './searchTotals.ts';
import { containsWords } from './textSearch.ts';
import { hasTrigram } from './trigrams.ts';
import { newWriteMark } from './writeMark.ts';

/** Up to this many contacts a page is found sooner by comparing one after the other in their order. */
const WALKED_MAX = 5_000;

export type ContactSearch = {
  words: readonly string[];
  filters: readonly RawBuilder<SqlBool>[];
  /** Of the filters. */
  totals: SearchTotals;
  sorting: readonly Sort[];
  order: readonly SortTerm[];
};

type PageQuery = Pick<CheckedListQuery, 'page' | 'per_page'>;

/** The ids of a page of the contacts that contain all words and meet all filters, and how many there are. */
export async function readSearchedIds(
  scope: Scope,
  list: ListSource,
  search: ContactSearch,
  query: PageQuery,
): Promise<{ ids: number[]; total: number }> {
  const { words, totals, sorting, order } = search;
  const { total, walked, readAll } = await findSearchedContacts(scope, list, search);
  const before = (query.page - 1) * query.per_page;
  const fromNearerEnd = Math.min(before + query.per_page, total - before);
  const isNear = fromNearerEnd <= 0 || (fromNearerEnd * list.size) / total <= WALKED_MAX;
  if (isNear || readAll === null) {
    return { ids: (await readKeys(scope, { ...list, matching: walked }, order, query)) as number[], total };
  }
  const readList = async () => ({ ...list, matching: await readAll() });
  // A change of another field than those that are searched makes no new mark, but a new time.
  const key = sorting.some(({ id }) => id === 'updated_at') ? null : totals.keyOf(words, sorting);
  if (key === null || !mayKeepOrder(total)) {
    return { ids: (await readKeys(scope, await readList(), order, query)) as number[], total };
  }
  return { ids: await readOrderedIds(scope, readList, order, key, query), total };
}

/** `walked` is for walking in the order of the list, and `readAll` for all that is found; null where all is known already. */
type FoundContacts = { total: number; walked: MatchingRows; readAll: (() => Promise<MatchingRows>) | null };

async function findSearchedContacts(
  scope: Scope,
  list: ListSource,
  { words, filters, totals }: ContactSearch,
): Promise<FoundContacts> {
  const index = engineOf(scope.kysely).searchIndex;
  const meeting = (contains: RawBuilder<SqlBool>) => sql<SqlBool>`${sql.join([...filters, contains], sql` and `)}`;
  const condition = meeting(containsWords<'contacts'>('search_key', words));
  const indexed = words.filter(hasTrigram);
  const kept = totals.find(words);
  if (kept === undefined && indexed.length > 0) {
    const found = await index.find(scope, indexed, condition);
    if (found !== null) {
      const matching = index.toMatchingRows(found);
      return { total: matching.total, walked: matching, readAll: null };
    }
  }
  const exact = indexed.length === words.length ? index.exact : null;
  const counted = meeting(index.containsWords(words));
  const walked =
    exact === null || filters.length > 0
      ? await countMatchingRows(scope, list, condition, { total: kept, counted })
      : { condition, total: kept ?? (await exact.count(scope, words)), isIndexed: false };
  const { total } = walked;
  totals.keep(words, total);
  const readAll = async () => {
    // Where all contacts are found, none of them has to be compared.
    if (exact === null || total === list.size) return { ...walked, condition: counted };
    const contains = await exact.collect(scope, words);
    const keys = meetAll(scope, filters, exact.keys(scope, words));
    return { condition: meeting(contains), keys, total, isIndexed: true };
  };
  return { total, walked, readAll };
}

/** Those of `keys` whose contacts meet all filters. */
function meetAll(
  scope: Scope,
  filters: readonly RawBuilder<SqlBool>[],
  keys: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (filters.length === 0) return keys;
  // The cross join keeps SQLite from starting with all contacts.
  return sql`
    select found from (${keys}) as candidates cross join contacts
    where workspace_id = ${scope.id} and id = found and ${sql.join([...filters], sql` and `)}`;
}

/** Writes the search index of all workspaces of a copy, which has their marks. */
export async function fillSearchIndex(trx: Transaction): Promise<void> {
  await engineOf(trx).searchIndex.rebuild(trx);
}

/** Writes the search index anew, for all workspaces. What was counted in it is no longer kept. */
export async function rebuildSearchIndex(trx: Transaction): Promise<void> {
  // First: a write of a workspace then waits for its row, before it holds anything that the index waits for.
  await trx.updateTable('workspaces').set({ search_mark: newWriteMark() }).execute();
  await fillSearchIndex(trx);
}

/** What a search finds each written contact by, by its id, until the search index is written: once for all of them. */
export type SearchTexts = Map<number, string>;

/** Writes `texts` to the search index. */
export async function writeSearchTexts(scope: Scope, texts: SearchTexts): Promise<void> {
  if (texts.size === 0) return;
  const rows = Array.from(texts, ([id, search_key]) => ({ id, search_key }));
  await engineOf(scope.kysely).searchIndex.write(
    scope,
    rows.toSorted((one, other) => one.id - other.id),
  );
}

/** Removes contacts from the search index. */
export async function removeSearchText(scope: Scope, ids: readonly number[]): Promise<void> {
  await engineOf(scope.kysely).searchIndex.remove(scope, ids);
}

/** For finding those of the contacts that a search may miss, or find by what they do not have. */
export function compareSearchIndex(scope: Scope): Promise<FindDifferences> {
  return engineOf(scope.kysely).searchIndex.openComparison(scope);
}

/** How many contacts of the workspace the search index has. */
export function countIndexed(scope: Scope): Promise<number> {
  return engineOf(scope.kysely).searchIndex.size(scope);
}
