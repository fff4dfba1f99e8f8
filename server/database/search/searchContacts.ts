import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Transaction } from '../database.ts';
import { engineOf } from '../engine.ts';
import { countMatchingRows, type ListSource, type MatchingRows } from '../paging/listPage.ts';
import type { Scope } from '../scope.ts';
import { EXPORT_PAGE_SIZE, iteratePages } from '../paging/iteratePages.ts';
import type { IndexedText } from './searchIndex.ts';
import type { SearchTotals } from './searchTotals.ts';
import { containsWords } from './textSearch.ts';
import { hasTrigram } from './trigrams.ts';
import { newWriteMark } from '../changeLog/writeMark.ts';

export type ContactSearch = {
  words: readonly string[];
  filters: readonly RawBuilder<SqlBool>[];
  /** Of the filters. */
  totals: SearchTotals;
};

/** The contacts that contain all words and meet all filters. */
export async function findSearchedContacts(
  scope: Scope,
  list: ListSource,
  { words, filters, totals }: ContactSearch,
): Promise<MatchingRows> {
  const index = engineOf(scope.kysely).searchIndex;
  const meeting = (contains: RawBuilder<SqlBool>) => sql<SqlBool>`${sql.join([...filters, contains], sql` and `)}`;
  const condition = meeting(containsWords<'contacts'>('search_key', words));
  const indexed = words.filter(hasTrigram);
  const total = totals.find(words);
  if (total === undefined && indexed.length > 0) {
    const found = await index.find(scope, indexed, condition);
    if (found !== null) return index.toMatchingRows(found);
  }
  const counted = meeting(index.containsWords(words));
  const matching = await countMatchingRows(scope, list, condition, { total, counted });
  totals.keep(words, matching.total);
  return matching;
}

/** Writes the search index of all workspaces of a copy, which has their marks. */
export async function fillSearchIndex(trx: Transaction): Promise<void> {
  await engineOf(trx).searchIndex.rebuild(trx);
}

/** Rewrites the search index of all workspaces, and invalidates totals that were counted in it. */
export async function rebuildSearchIndex(trx: Transaction): Promise<void> {
  // First: a write then waits for the head of its workspace before it holds anything that the index waits for.
  await trx.updateTable('workspace_heads').set({ search_mark: newWriteMark() }).execute();
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

/**
 * One sentence if the search index differs from the contacts. By a sum over both: on SQLite, reading the entries of each contact would
 * take 6 ms of each.
 */
export async function verifySearchIndex(scope: Scope): Promise<string[]> {
  const index = engineOf(scope.kysely).searchIndex;
  const contacts = iteratePages<IndexedText>((last) =>
    scope
      .select('contacts')
      .select(['id', 'search_key'])
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(EXPORT_PAGE_SIZE)
      .execute(),
  );
  let sum = 0;
  for await (const text of contacts) sum = (sum + index.sumOf(scope, text)) | 0;
  return sum === (await index.sum(scope)) ? [] : ['The search index differs from the contacts; --rebuild rewrites it.'];
}
