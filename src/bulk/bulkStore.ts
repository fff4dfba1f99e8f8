import type { Journal } from './journal/journal.ts';
import { createStore } from '../ui/page/store.ts';
import {
  changeEntries,
  countWork,
  type BulkList,
  type BulkState,
  type LoadedState,
  openList,
  type PlannedList,
  type RunProgress,
  type Work,
} from './bulkState.ts';
import type { BulkEntry } from './entry.ts';

type OpenJournal = Pick<Journal, 'replace' | 'saveList' | 'saveEntries' | 'clear'>;
type Contents = { list: unknown; entries: readonly unknown[] };

/** Increase it with each change of the stored list or entry. */
const FORMAT = 1;

/** Above it, writing the whole list takes less time than writing each entry. */
const CHANGED_MAX = 500;

/** The browser could not store the list. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The state of the page. Changes of a list are written to the journal first. */
export class BulkStore {
  /** Null while no journal is open: nothing is stored then. */
  journal: OpenJournal | null = null;
  #state: BulkState = { phase: 'opening' };
  readonly #shown = createStore(this.#state);
  readonly #writes = new Set<Promise<void>>();

  readonly subscribe = this.#shown.subscribe;
  /** What the page shows, a moment behind `state`. */
  readonly snapshot = this.#shown.read;

  get state(): BulkState {
    return this.#state;
  }

  /** The state with its list. Throws if there is none. */
  get loaded(): LoadedState {
    if (!('entries' in this.#state)) throw new Error('There is no list.');
    return this.#state;
  }

  show(state: BulkState): void {
    this.#state = state;
    this.#shown.write(state);
  }

  showProgress(progress: RunProgress): void {
    if ('progress' in this.#state) this.show({ ...this.#state, progress });
  }

  /** The current entry with this index; undefined if the list is gone. */
  readonly entryAt = (index: number): BulkEntry | undefined =>
    'entries' in this.#state ? this.#state.entries[index] : undefined;

  /** Resolves when nothing is being written. */
  async settle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
  }

  /** `workspace`: the session's; null if the service doesn't return it. */
  open(contents: Contents | null, workspace: string | null): void {
    if (contents === null) this.show({ phase: 'empty' });
    else if (isReadable(contents)) this.show(openList(contents.list, contents.entries, workspace));
    else this.show({ phase: 'unreadable', contents });
  }

  async replaceList(list: PlannedList, entries: readonly BulkEntry[]): Promise<void> {
    await this.#write((journal) => journal.replace({ ...list, format: FORMAT }, entries));
    this.show(openList(list, entries, null));
  }

  async deleteList(): Promise<void> {
    await this.#write((journal) => journal.clear());
    this.show({ phase: 'empty' });
  }

  /** Writes the list and its number of entries left, then shows the `next` state if there still is a list. */
  async saveList(list: BulkList, next: (state: LoadedState) => BulkState): Promise<void> {
    if (!('entries' in this.#state)) return;
    const stored = toStored({ list, counts: this.#state.counts });
    await this.#write((journal) => journal.saveList(stored));
    if ('entries' in this.#state) this.show(next(this.#state));
  }

  /** Shows a state before its changed entries are written: a click can't wait for the journal. */
  async showAndSave(state: LoadedState, entries: readonly BulkEntry[]): Promise<void> {
    this.show(state);
    await this.#writeEntries(state, entries);
  }

  /** Replaces entries by index. They are shown with the next state: a run would show hundreds a second. */
  readonly saveEntries = async (entries: readonly BulkEntry[]): Promise<void> => {
    // The list was deleted meanwhile.
    if (!('entries' in this.#state)) return;
    await this.#writeEntries(changeEntries(this.#state, entries), entries);
    if ('entries' in this.#state) this.#state = changeEntries(this.#state, entries);
  };

  async #writeEntries(state: LoadedState, changed: readonly BulkEntry[]): Promise<void> {
    const list = toStored(state);
    await this.#write((journal) =>
      changed.length > CHANGED_MAX ? journal.replace(list, state.entries) : journal.saveEntries(changed, list),
    );
  }

  async #write(write: (journal: OpenJournal) => Promise<void>): Promise<void> {
    if (this.journal === null) return;
    const writing = write(this.journal)
      .catch(throwStorageError)
      .finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
    await writing;
  }
}

function throwStorageError(cause: unknown): never {
  throw new StorageError(cause instanceof Error ? cause.message : String(cause), { cause });
}

const toStored = ({ list, counts }: Work) => ({ ...list, left: countWork({ list, counts }).left, format: FORMAT });

const isReadable = (contents: Contents): contents is { list: BulkList; entries: BulkEntry[] } =>
  (contents.list as { format?: unknown } | null)?.format === FORMAT;
