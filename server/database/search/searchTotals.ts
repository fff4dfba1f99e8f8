import { LRUCache } from 'lru-cache';
import type { Scope } from '../scope.ts';

// Totals of searches of contacts. Where many contacts match, counting them takes most of the time of a page, and the pages of one
// search follow each other.

/** So many totals are kept: those that were used last. */
const KEPT_MAX = 1_000;

/** By workspace, mark, filter and words. A mark is random (writeMark.ts), so no two databases of a process share one. */
const totals = new LRUCache<string, number>({ max: KEPT_MAX });

/** The totals of one workspace and filter while the mark `search_mark` of its row is the same, as one transaction sees both. */
export class SearchTotals {
  /** Null where there is no mark, because no contact was written since there are marks: nothing is kept then. */
  readonly #prefix: string | null;

  constructor({ id }: Scope, mark: number, filter: unknown) {
    this.#prefix = mark === 0 ? null : `${id} ${mark} ${JSON.stringify(filter)} `;
  }

  /** How many contacts contain all `words`, if they were counted. */
  find(words: readonly string[]): number | undefined {
    return this.#prefix === null ? undefined : totals.get(this.#prefix + JSON.stringify(words));
  }

  keep(words: readonly string[], total: number): void {
    if (this.#prefix !== null) totals.set(this.#prefix + JSON.stringify(words), total);
  }
}
