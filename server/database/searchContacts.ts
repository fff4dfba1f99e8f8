import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Transaction } from './database.ts';
import { engineOf } from './engine.ts';
import { countMatchingRows, type ListSource, type MatchingRows } from './listPage.ts';
import type { Scope } from './scope.ts';
import type { FindDifferences } from './searchIndex.ts';
import type { SearchTotals } from './searchTotals.ts';
import { containsWords } from './textSearch.ts';
import { hasTrigram } from './trigrams.ts';
import { newWriteMark } from './writeMark.ts';

/** Up to this many contacts a page is found sooner by comparing one after the other in their order. */
const WALKED_MAX = 5_000;

export type ContactSearch = {
  words: readonly string[];
  filters: readonly RawBuilder<SqlBool>[];
  /** How many rows the page needs. */
  until: number;
  /** Of the filters. */
  totals: SearchTotals;
};

/** The contacts that contain all words and meet all filters. */
export async function findSearchedContacts(
  scope: Scope,
  list: ListSource,
  { words, filters, until, totals }: ContactSearch,
): Promise<MatchingRows> {
  const index = engineOf(scope.kysely).searchIndex;
  const meeting = (contains: RawBuilder<SqlBool>) => sql<SqlBool>`${sql.join([...filters, contains], sql` and `)}`;
  const condition = meeting(containsWords<'contacts'>('search_key', words));
  const indexed = words.filter(hasTrigram);
  const kept = totals.find(words);
  if (kept === undefined && indexed.length > 0) {
    const found = await index.find(scope, indexed, condition);
    if (found !== null) return index.toMatchingRows(found);
  }
  const exact = filters.length === 0 && indexed.length === words.length ? index.exact : null;
  const counted = { total: kept, counted: meeting(index.containsWords(words)) };
  const matching =
    exact === null
      ? await countMatchingRows(scope, list, condition, counted)
      : { condition, total: kept ?? (await exact.count(scope, words)), isIndexed: false };
  const { total } = matching;
  totals.keep(words, total);
  if (exact === null || (until * list.size) / total <= WALKED_MAX) return matching;
  return { condition: exact.contains(scope, 'id', words), total, isIndexed: true };
}

/** Writes the search index of all workspaces of a copy, which has their marks. */
export async function fillSearchIndex(trx: Transaction): Promise<void> {
  await engineOf(trx).searchIndex.rebuild(trx);
}

/** Writes the search index anew, for all workspaces. What was counted in it is no longer kept. */
export async function rebuildSearchIndex(trx: Transaction): Promise<void> {
  await fillSearchIndex(trx);
  await trx.updateTable('workspaces').set({ search_mark: newWriteMark() }).execute();
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

/** Removes a contact from the search index. */
export async function removeSearchText(scope: Scope, id: number): Promise<void> {
  await engineOf(scope.kysely).searchIndex.remove(scope, id);
}

/** For finding those of the contacts that a search may miss, or find by what they do not have. */
export function compareSearchIndex(scope: Scope): Promise<FindDifferences> {
  return engineOf(scope.kysely).searchIndex.openComparison(scope);
}

/** How many contacts of the workspace the search index has. */
export function countIndexed(scope: Scope): Promise<number> {
  return engineOf(scope.kysely).searchIndex.size(scope);
}
