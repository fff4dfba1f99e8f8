import { journalName, Journal } from './journal/journal.ts';
import { sessionSignal } from '../session/session.ts';
import { placeName } from '../session/workspaces.ts';
import type { DeskStore } from './deskStore.ts';

/** What the session of the page allows. */
export type DeskSession = {
  /** UUID of the workspace; null when the service does not say it. */
  workspace: string | null;
  /** Whether the service has more than the bare interface. */
  hasAdditions: boolean;
};

/**
 * When this tab has the desk, with its journal open: while a page shows it, and while something is read or run. Only one tab at a time
 * has it.
 */
export class DeskLifecycle {
  session: DeskSession = { workspace: null, hasAdditions: false };
  readonly #store: DeskStore;
  /** Called before the journal is closed. */
  readonly #onClose: () => void;
  /** Pages that show the desk. */
  #pages = 0;
  /** Works that go on while the page is left. */
  #works = 0;
  #journal: Journal | null = null;
  #isHeld = false;
  #releaseLock = () => {};

  constructor(store: DeskStore, onClose: () => void) {
    this.#store = store;
    this.#onClose = onClose;
  }

  /** Takes the desk for this tab and reads the journal. The function it returns releases the desk, after the works. */
  attach(session: DeskSession): () => void {
    this.session = session;
    this.#pages += 1;
    this.#open();
    return () => {
      this.#pages -= 1;
      setTimeout(() => void this.#leave());
    };
  }

  /** Keeps the desk until `work` ends. `isCurrent`: whether neither the journal nor the session has changed since. */
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

  /** Waits for the lock, and shows the list of the journal. */
  async #hold(): Promise<void> {
    const store = this.#store;
    this.#releaseLock = await acquireTabLock(journalName(placeName()), () => store.show({ phase: 'elsewhere' }));
    const journal = await Journal.open(placeName(), () => this.#close('gone'));
    this.#journal = journal;
    store.journal = journal;
    store.open(await journal.read(), this.session.workspace);
  }

  /**
   * Closes the journal when no page shows the desk and no work goes on, after what is being written. A page that was opened in the
   * next session reads it again: the list may be of another workspace.
   */
  async #leave(isNextSession = false): Promise<void> {
    await this.#store.settle();
    if ((this.#pages > 0 && !isNextSession) || this.#works > 0 || this.#journal === null) return;
    this.#close('opening');
    this.#open();
  }

  /** The page was left, or the journal deleted. */
  #close(phase: 'opening' | 'gone'): void {
    this.#onClose();
    this.#release();
    this.#store.show({ phase });
  }

  /** Closes the journal. Another tab may then take the desk, and this one opens it again when its page is. */
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
