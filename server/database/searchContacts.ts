import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Transaction } from './database.ts';
import { engineOf } from './engine.ts';
import { countMatchingRows, type ListSource, type MatchingRows } from './listPage.ts';
import type { Scope } from './scope.ts';
import type { IndexedText } from './searchIndex.ts';
import { containsWords } from './textSearch.ts';
import { hasTrigram } from './trigrams.ts';

/** Up to this many contacts a page is found sooner by comparing one after the other in their order. */
const WALKED_MAX = 5_000;

/** The contacts that contain all `words` and meet all `filters`. `until` is how many the page needs. */
export async function findSearchedContacts(
  scope: Scope,
  list: ListSource,
  words: readonly string[],
  filters: readonly RawBuilder<SqlBool>[],
  until: number,
): Promise<MatchingRows> {
  const index = engineOf(scope.kysely).searchIndex;
  const condition = sql<SqlBool>`${sql.join([...filters, containsWords<'contacts'>('search_key', words)], sql` and `)}`;
  const indexed = words.filter(hasTrigram);
  if (indexed.length === 0) return countMatchingRows(scope, list, condition);
  const found = await index.find(scope, indexed, condition);
  if (found !== null) return index.toMatchingRows(found);
  const isWhole = filters.length === 0 && indexed.length === words.length;
  if (index.exact === null || !isWhole) return countMatchingRows(scope, list, condition);
  const total = await index.exact.count(scope, words);
  if ((until * list.size) / total <= WALKED_MAX) return { condition, total, isIndexed: false };
  return { condition: index.exact.contains(scope, 'id', words), total, isIndexed: true };
}

/** Writes the search index anew, for all workspaces. */
export async function rebuildSearchIndex(trx: Transaction): Promise<void> {
  await engineOf(trx).searchIndex.rebuild(trx);
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

/** Those of the contacts that a search may miss, or find by what they do not have, by id. */
export function findUnindexed(scope: Scope, texts: readonly IndexedText[]): Promise<Set<number>> {
  return engineOf(scope.kysely).searchIndex.findDifferences(scope, texts);
}

/** How many contacts of the workspace the search index has. */
export function countIndexed(scope: Scope): Promise<number> {
  return engineOf(scope.kysely).searchIndex.size(scope);
}
