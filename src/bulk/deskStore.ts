import type { Journal } from './journal/journal.ts';
import { createListeners } from '../ui/page/listeners.ts';
import {
  changeEntries,
  countWork,
  type DeskList,
  type DeskState,
  type LoadedState,
  openList,
  type PlannedList,
  type Work,
} from './deskState.ts';
import type { DeskEntry } from './entry.ts';
import type { DeskProgress } from './run.ts';

type OpenJournal = Pick<Journal, 'replace' | 'saveList' | 'saveEntries' | 'clear'>;
type Contents = { list: unknown; entries: readonly unknown[] };

/** Raised with each change of what is stored of a list or an entry. */
const FORMAT = 1;

/** Entries that are written one by one. Writing all of a list takes less time for more. */
const CHANGED_MAX = 500;

/** The browser did not keep what was to be written. */
export class StorageError extends Error {
  override readonly name = 'StorageError';
}

/** The state of the desk, and who is told of it. What changes in a list is written to the journal first. */
export class DeskStore {
  /** Null while no journal is open: nothing is kept then. */
  journal: OpenJournal | null = null;
  #state: DeskState = { phase: 'opening' };
  #shown: DeskState = this.#state;
  readonly #listeners = createListeners();
  readonly #writes = new Set<Promise<void>>();

  readonly subscribe = this.#listeners.subscribe;
  /** The state that the page shows; the true one is a moment younger. */
  readonly snapshot = (): DeskState => this.#shown;

  get state(): DeskState {
    return this.#state;
  }

  /** The state with its list. Throws if there is none. */
  get loaded(): LoadedState {
    if (!('entries' in this.#state)) throw new Error('There is no list.');
    return this.#state;
  }

  show(state: DeskState): void {
    this.#state = state;
    this.#shown = state;
    this.#listeners.notify();
  }

  showProgress(progress: DeskProgress): void {
    if ('progress' in this.#state) this.show({ ...this.#state, progress });
  }

  /** The entry of this index as it stands now; undefined when the list is gone. */
  readonly entryAt = (index: number): DeskEntry | undefined =>
    'entries' in this.#state ? this.#state.entries[index] : undefined;

  /** Resolves when nothing is being written. */
  async settle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
  }

  /** Shows what the journal has. `workspace`: that of the session; null when the service does not say it. */
  open(contents: Contents | null, workspace: string | null): void {
    if (contents === null) this.show({ phase: 'empty' });
    else if (isReadable(contents)) this.show(openList(contents.list, contents.entries, workspace));
    else this.show({ phase: 'unreadable', contents });
  }

  async replaceList(list: PlannedList, entries: readonly DeskEntry[]): Promise<void> {
    await this.#write((journal) => journal.replace({ ...list, format: FORMAT }, entries));
    this.show(openList(list, entries, null));
  }

  async deleteList(): Promise<void> {
    await this.#write((journal) => journal.clear());
    this.show({ phase: 'empty' });
  }

  /** Writes the list, with how many entries are left, and then shows what `next` makes of the state, if there still is a list. */
  async saveList(list: DeskList, next: (state: LoadedState) => DeskState): Promise<void> {
    if (!('entries' in this.#state)) return;
    const stored = toStored({ list, counts: this.#state.counts });
    await this.#write((journal) => journal.saveList(stored));
    if ('entries' in this.#state) this.show(next(this.#state));
  }

  /** Shows a state with these entries changed or added, and then writes it: what a click changes cannot wait for the journal. */
  async showAndSave(state: LoadedState, entries: readonly DeskEntry[]): Promise<void> {
    this.show(state);
    await this.#writeEntries(state, entries);
  }

  /** Replaces the entries of the same indexes. They are shown with the next state: a run would show hundreds a second. */
  readonly saveEntries = async (entries: readonly DeskEntry[]): Promise<void> => {
    // The list was deleted meanwhile.
    if (!('entries' in this.#state)) return;
    await this.#writeEntries(changeEntries(this.#state, entries), entries);
    if ('entries' in this.#state) this.#state = changeEntries(this.#state, entries);
  };

  async #writeEntries(state: LoadedState, changed: readonly DeskEntry[]): Promise<void> {
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

const isReadable = (contents: Contents): contents is { list: DeskList; entries: DeskEntry[] } =>
  (contents.list as { format?: unknown } | null)?.format === FORMAT;
