import type { RawBuilder, SqlBool } from 'kysely';
import type { Transaction } from '../database.ts';
import type { Scope } from '../scope.ts';

// The search index of contacts: docs/decisions/0028-search-index.md.

/** The text of a contact that the index has: the column `search_key`. */
export type IndexedText = { id: number; search_key: string };

/** The index of one engine. It is no table of content: all of it follows from `contacts`. */
export type SearchIndex = {
  /**
   * Writes the texts of contacts, new or changed, in ascending order of their ids. The caller writes a new `search_mark`, because the totals of
   * searches are no longer those that were counted. There is at least one.
   */
  write(scope: Scope, texts: readonly IndexedText[]): Promise<void>;
  /** Removes the contacts with these ids, and writes a new `search_mark`. */
  remove(scope: Scope, ids: readonly number[]): Promise<void>;
  /**
   * The ids of the contacts that contain all `words`, each of which has a trigram, and meet `condition`; null where so many may
   * contain the words that all contacts are read sooner.
   */
  find(scope: Scope, words: readonly string[], condition: RawBuilder<SqlBool>): Promise<number[] | null>;
  /** A condition for counting all contacts that contain all `words`: `containsWords`, as it is fastest. */
  containsWords(words: readonly string[]): RawBuilder<SqlBool>;
  /** The contacts with these ids as the rows of a list. */
  toMatchingRows(ids: readonly number[]): FoundRows;
  /** A checksum of what it has of the workspace: the sum of `sumOf` of all contacts, in 32 bits. */
  sum(scope: Scope): Promise<number>;
  sumOf(scope: Scope, text: IndexedText): number;
  /** Rewrites all of it, for all workspaces. */
  rebuild(trx: Transaction): Promise<void>;
};

/** See `MatchingRows`. */
export type FoundRows = {
  condition: RawBuilder<SqlBool>;
  keys?: RawBuilder<unknown>;
  total: number;
  isIndexed: true;
};
