import { journalName, Journal } from './journal/journal.ts';
import { sessionSignal } from '../session/session.ts';
import { placeName } from '../session/workspaces.ts';
import type { BulkStore } from './bulkStore.ts';

export type BulkSession = {
  /** UUID of the workspace; null if the service doesn't return it. */
  workspace: string | null;
  /** Whether the service has more than the bare interface. */
  hasAdditions: boolean;
};

/** One tab at a time has the list and its journal: while a page shows it, and while something is read or run. */
export class BulkLifecycle {
  session: BulkSession = { workspace: null, hasAdditions: false };
  readonly #store: BulkStore;
  /** Called before the journal is closed. */
  readonly #onClose: () => void;
  #pages = 0;
  /** Work that continues after the page is left. */
  #works = 0;
  #journal: Journal | null = null;
  #isHeld = false;
  #releaseLock = () => {};

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

  /** Keeps the list until `work` ends. `isCurrent`: whether journal and session are still the same. */
  async keepFor<Result>(work: (isCurrent: () => boolean) => Promise<Result>): Promise<Result> {
    const journal = this.#journal;
    const session = sessionSignal();
    this.#works += 1;
    try {
      return await work(() => journal === this.#journal && !session.aborted);
    } finally {
      this.#works -= 1;
      if (this.#pages === 0 || session.aborted) setTimeout(() => void this.#leave(session.aborted));
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
    this.#releaseLock = await acquireTabLock(journalName(placeName()), () => store.show({ phase: 'elsewhere' }));
    const journal = await Journal.open(placeName(), () => this.#close('gone'));
    this.#journal = journal;
    store.journal = journal;
    store.open(await journal.read(), this.session.workspace);
  }

  /** Closes the journal once nothing uses it. In the next session a page reads it again: its workspace may differ. */
  async #leave(isNextSession = false): Promise<void> {
    await this.#store.settle();
    if ((this.#pages > 0 && !isNextSession) || this.#works > 0 || this.#journal === null) return;
    this.#close('opening');
    this.#open();
  }

  #close(phase: 'opening' | 'gone'): void {
    this.#onClose();
    this.#release();
    this.#store.show({ phase });
  }

  #release(): void {
    this.#journal?.close();
    this.#journal = null;
    this.#store.journal = null;
    this.#isHeld = false;
    this.#releaseLock();
  }
}

/**
 * Waits for the lock `name`, and returns the function that releases it. `onWaiting` is called if another tab holds it. In an
 * insecure context browsers have no locks, and it is granted immediately. Rejects if the browser refuses locks.
 */
export async function acquireTabLock(name: string, onWaiting: () => void): Promise<() => void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return () => {};
  const { promise: granted, resolve: grant, reject: refuse } = Promise.withResolvers<() => void>();
  // The lock is held until the promise of its callback resolves.
  const hold = () => new Promise<void>((release) => grant(release));
  locks
    .request(name, { ifAvailable: true }, (lock) => {
      if (lock !== null) return hold();
      onWaiting();
      locks.request(name, hold).catch(refuse);
      return undefined;
    })
    .catch(refuse);
  return granted;
}
