import type { Journal } from '../journal/journal.ts';
import { createListeners } from '../ui/listeners.ts';
import { countWork, reduceDesk, type DeskEvent, type DeskList, type DeskState, type PlannedList } from './deskState.ts';
import type { DeskEntry } from './entry.ts';

type OpenJournal = Pick<Journal, 'replace' | 'saveList' | 'saveEntries' | 'clear'>;

/** Milliseconds between two updates of the page while a run changes entries. */
const NOTIFY_INTERVAL = 150;

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
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly subscribe = this.#listeners.subscribe;
  /** The state that the page shows; the true one is a moment younger. */
  readonly snapshot = (): DeskState => this.#shown;

  get state(): DeskState {
    return this.#state;
  }

  dispatch(event: DeskEvent): void {
    this.#state = reduceDesk(this.#state, event);
    if (event.type === 'changed' || event.type === 'progressed')
      this.#timer ??= setTimeout(this.#show, NOTIFY_INTERVAL);
    else this.#show();
  }

  /** The entry of this index as it stands now; undefined when the list is gone. */
  readonly entryAt = (index: number): DeskEntry | undefined =>
    'entries' in this.#state ? this.#state.entries.at(index) : undefined;

  /** Resolves when nothing is being written. */
  async settle(): Promise<void> {
    while (this.#writes.size > 0) await Promise.allSettled(this.#writes);
  }

  async replaceList(list: PlannedList, entries: readonly DeskEntry[]): Promise<void> {
    await this.#write(async (journal) => journal.replace(list, entries), { type: 'read', list, entries });
  }

  async deleteList(): Promise<void> {
    await this.#write(async (journal) => journal.clear(), { type: 'discarded' });
  }

  /** Writes the list, with how many entries are left, and then dispatches `event`. */
  async saveList(list: DeskList, event: DeskEvent): Promise<void> {
    const left = countLeft(reduceDesk(this.#state, event));
    await this.#write(async (journal) => journal.saveList({ ...list, left }), event);
  }

  /** Changes or adds entries, and shows it at once: what a click changes cannot wait for the journal. */
  async showAndSaveEntries(event: Extract<DeskEvent, { type: 'changed' | 'added' }>): Promise<void> {
    this.dispatch(event);
    this.#show();
    if (!('list' in this.#state)) return;
    const list = { ...this.#state.list, left: countLeft(this.#state) };
    await this.#write(async (journal) => journal.saveEntries(event.entries, list));
  }

  /** Replaces the entries of the same indexes. */
  readonly saveEntries = async (entries: readonly DeskEntry[]): Promise<void> => {
    const event: DeskEvent = { type: 'changed', entries };
    const after = reduceDesk(this.#state, event);
    // The list was deleted meanwhile.
    if (!('list' in after)) return;
    const list = { ...after.list, left: countLeft(after) };
    await this.#write(async (journal) => journal.saveEntries(entries, list), event);
  };

  /** Writes to the journal, and then dispatches `event`. */
  async #write(write: (journal: OpenJournal) => Promise<void>, event?: DeskEvent): Promise<void> {
    const perform = async () => {
      if (this.journal !== null) await write(this.journal).catch(throwStorageError);
      if (event !== undefined) this.dispatch(event);
    };
    const writing = perform().finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
    await writing;
  }

  readonly #show = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shown = this.#state;
    this.#listeners.notify();
  };
}

function throwStorageError(cause: unknown): never {
  throw new StorageError(cause instanceof Error ? cause.message : String(cause), { cause });
}

const countLeft = (state: DeskState): number => ('list' in state ? countWork(state).left : 0);
