import { Journal, journalName } from './journal/journal.ts';
import { createStore } from '../ui/page/store.ts';
import {
  changeEntries,
  countEntries,
  countWork,
  openList,
  type BulkEntry,
  type BulkList,
  type BulkState,
  type LoadedState,
  type RunProgress,
  type Work,
} from './bulkState.ts';
import { sessionSignal } from '../session/session.ts';
import { acquireTabLock } from '../session/tabLock.ts';
import { placeName } from '../session/workspaces.ts';

type OpenJournal = Pick<Journal, 'replace' | 'saveList' | 'saveEntries' | 'saveTyped' | 'clear'>;
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
  /** What was typed and not read yet, also while there is a list. */
  typed = '';
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

  async replaceList(list: BulkList, entries: readonly BulkEntry[]): Promise<void> {
    const stored = toStored({ list, counts: countEntries(entries) });
    await this.#write((journal) => journal.replace(stored, entries));
    this.show(openList(list, entries, null));
  }

  async saveTyped(text: string): Promise<void> {
    if (text === this.typed) return;
    this.typed = text;
    await this.#write((journal) => journal.saveTyped(text));
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

type BulkSession = {
  /** UUID of the workspace; null if the service doesn't return it. */
  workspace: string | null;
  /** Whether the service has more than the bare interface. */
  hasAdditions: boolean;
  /** Whether it keeps runs. */
  keepsRuns: boolean;
};

/** One tab at a time has the list and its journal: while a page shows it, and while something is read or run. */
export class BulkLifecycle {
  session: BulkSession = { workspace: null, hasAdditions: false, keepsRuns: false };
  readonly #store: BulkStore;
  /** Called before the journal is closed. */
  readonly #onClose: () => void;
  #pages = 0;
  /** Work that continues after the page is left. */
  #works = 0;
  #journal: Journal | null = null;
  #isHeld = false;
  #releaseLock = () => {};
  /** Tabs ask the one that has the list for it. */
  #channel: BroadcastChannel | null = null;
  #isAsked = false;

  constructor(store: BulkStore, onClose: () => void) {
    this.#store = store;
    this.#onClose = onClose;
  }

  /** Takes the list for this tab and reads the journal. Returns the function that releases it, after all work. */
  attach(session: BulkSession): () => void {
    this.session = session;
    this.#pages += 1;
    this.#open();
    return () => {
      this.#pages -= 1;
      setTimeout(() => void this.#leave());
    };
  }

  /** Asks the tab that has the list for it. That tab pauses a run, and lets go when nothing is being written. */
  readonly takeOver = (): void => this.#channel?.postMessage('take over');

  /** Keeps the list until `work` ends. `isCurrent`: whether journal and session are still the same. */
  async keepFor<Result>(work: (isCurrent: () => boolean) => Promise<Result>): Promise<Result> {
    const journal = this.#journal;
    const session = sessionSignal();
    this.#works += 1;
    try {
      return await work(() => journal === this.#journal && !session.aborted);
    } finally {
      this.#works -= 1;
      if (this.#pages === 0 || this.#isAsked || session.aborted) setTimeout(() => void this.#leave(session.aborted));
    }
  }

  #open(): void {
    if (this.#isHeld || this.#pages === 0) return;
    this.#isHeld = true;
    void this.#hold().then(
      async () => this.#leave(),
      (error: unknown) => {
        this.#release();
        this.#store.show({ phase: 'broken', error: error instanceof Error ? error.message : String(error) });
      },
    );
  }

  async #hold(): Promise<void> {
    const store = this.#store;
    this.#channel ??= this.#listen();
    this.#releaseLock = await acquireTabLock(journalName(placeName()), () => store.show({ phase: 'elsewhere' }));
    const journal = await Journal.open(placeName(), () => this.#close('gone'));
    this.#journal = journal;
    store.journal = journal;
    store.typed = await journal.readTyped();
    store.open(await journal.read(), this.session.workspace);
  }

  /** Closes the journal once nothing uses it. In the next session a page reads it again: its workspace may differ. */
  async #leave(isNextSession = false): Promise<void> {
    await this.#store.settle();
    if ((this.#pages > 0 && !this.#isAsked && !isNextSession) || this.#works > 0 || this.#journal === null) return;
    this.#close(this.#isAsked ? 'elsewhere' : 'opening');
    this.#isAsked = false;
    this.#open();
  }

  /** Null where browsers have no messages between tabs: a tab then waits until the other one is closed. */
  #listen(): BroadcastChannel | null {
    if (!('BroadcastChannel' in globalThis)) return null;
    const channel = new BroadcastChannel(journalName(placeName()));
    channel.addEventListener('message', () => {
      if (this.#journal === null) return;
      this.#isAsked = true;
      this.#onClose();
      void this.#leave();
    });
    return channel;
  }

  #close(phase: 'opening' | 'elsewhere' | 'gone'): void {
    this.#onClose();
    this.#release();
    this.#store.show({ phase });
  }

  #release(): void {
    this.#journal?.close();
    this.#journal = null;
    this.#store.journal = null;
    this.#store.typed = '';
    this.#isHeld = false;
    this.#releaseLock();
  }
}
