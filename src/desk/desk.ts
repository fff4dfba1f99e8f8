import { baseUrl } from '../api/client.ts';
import { journalName, Journal } from '../journal/journal.ts';
import { lookUpContact, type SendCall, unsubscribeEntry } from './calls.ts';
import { DeskRun } from './deskRun.ts';
import { DeskState, type DeskList } from './deskState.ts';
import { type DeskEntry, type EntryStatus, UNSENT_STATUSES, createOutcome } from './entry.ts';
/** What a session allows. */
type DeskPermissions = {
  /** UUID of the workspace; null when the service does not say it. */
  workspace: string | null;
  /** Whether the service can be asked for the record of a contact. */
  canRead: boolean;
};

/** What a run processes. Entries found `out` or `unknown` need no request; their outcome is still to be saved. */
const OPEN_STATUSES: readonly EntryStatus[] = [...UNSENT_STATUSES, 'out', 'unknown'];

/**
 * The list at the desk, from the input to the receipt. It outlives the page: a run goes on while another page is open. It
 * outlives the tab: each step is in the journal before its request is sent. Only one tab at a time has the desk.
 */
class Desk {
  readonly #state = new DeskState();
  #permissions: DeskPermissions = { workspace: null, canRead: false };
  /** Pages that show the desk. */
  #pages = 0;
  #isHeld = false;
  #releaseLock = () => {};
  #run: DeskRun | null = null;
  #isStopped = false;

  readonly subscribe = this.#state.subscribe;
  readonly snapshot = this.#state.snapshot;

  /**
   * Takes the desk for this tab and reads the journal. The function it returns releases the desk, after the run if one
   * is going on.
   */
  attach(permissions: DeskPermissions): () => void {
    this.#permissions = permissions;
    this.#pages += 1;
    this.#open();
    return () => {
      this.#pages -= 1;
      setTimeout(() => this.#leave());
    };
  }

  /** Replaces the list. `source` is the name of its file, or null. */
  async startList(source: string | null, entries: DeskEntry[]): Promise<void> {
    const list: DeskList = {
      source,
      workspace: this.#permissions.workspace,
      stage: 'plan',
      began_at: null,
      ended_at: null,
      is_saved: false,
    };
    await this.#state.replaceList(list, entries);
  }

  async discard(): Promise<void> {
    await this.#state.deleteList();
  }

  /** Looks up the contacts that are not checked yet; changes none. */
  async check(): Promise<void> {
    const state = this.#state;
    await this.#execute('checking', ['unchecked'], async (entry, send) => {
      const found = await lookUpContact(entry.values, this.#permissions.canRead, send);
      await state.saveEntry({ ...entry, found, repeats: await state.claimContact(entry, found.uuid) });
    });
    if (state.list !== null) state.setPhase('plan');
  }

  /** Unsubscribes all contacts of the list that may be subscribed. After a pause it continues with the rest. */
  async run(workspace: string): Promise<void> {
    const state = this.#state;
    const began_at = state.list?.began_at ?? new Date().toISOString();
    await state.updateList({ workspace, stage: 'run', began_at });
    this.#isStopped = false;
    await this.#execute('running', OPEN_STATUSES, (entry, send) =>
      unsubscribeEntry(state, entry, { workspace, canRead: this.#permissions.canRead, send }),
    );
    if (state.list !== null && (state.phase === 'running' || this.#isStopped)) await this.end();
  }

  /** Sends nothing more. Requests in flight are completed. */
  pause(): void {
    this.#run?.pause();
  }

  /** Pauses, and then ends the list. */
  stop(): void {
    this.#isStopped = true;
    this.pause();
  }

  /** Ends the list as it is. What has not been sent is not sent any more. */
  async end(): Promise<void> {
    await this.#state.updateList({ stage: 'ended', ended_at: new Date().toISOString(), is_saved: false });
    this.#state.setPhase('ended');
  }

  /** Notes that the receipt was downloaded: the list can then be deleted without a question. */
  async markSaved(): Promise<void> {
    await this.#state.updateList({ is_saved: true });
    this.#state.notify();
  }

  /** Runs the list again for the entries that failed. */
  async retryFailed(workspace: string): Promise<void> {
    for (const entry of this.#state.entries) {
      if (entry.outcome?.state !== 'failed') continue;
      // One that was found subscribed may be unsubscribed by now, where only the response was lost. It is sent again.
      await this.#state.saveEntry({ ...entry, outcome: entry.found === null ? null : createOutcome('sent') });
    }
    await this.run(workspace);
  }

  async #execute(
    phase: 'checking' | 'running',
    statuses: readonly EntryStatus[],
    processEntry: (entry: DeskEntry, send: SendCall) => Promise<void>,
  ): Promise<void> {
    const run = new DeskRun(this.#state, phase, statuses);
    this.#run = run;
    try {
      await run.execute(processEntry);
    } finally {
      this.#run = null;
      if (this.#pages === 0) setTimeout(() => this.#leave());
    }
  }

  #open(): void {
    if (this.#isHeld || this.#pages === 0) return;
    this.#isHeld = true;
    void this.#hold().then(
      () => this.#leave(),
      (error: unknown) => this.#state.fail(error),
    );
  }

  /** Waits for the lock, and shows the list of the journal. */
  async #hold(): Promise<void> {
    const state = this.#state;
    this.#releaseLock = await acquireTabLock(journalName(baseUrl()), () => state.setPhase('elsewhere'));
    state.journal = await Journal.open<DeskList, DeskEntry>(baseUrl(), () => this.#forget('gone'));
    const contents = await state.journal.read();
    if (contents === null) return state.show('empty', null, []);
    const { list, entries } = contents;
    const { workspace } = this.#permissions;
    const isForeign = workspace !== null && list.workspace !== null && list.workspace !== workspace;
    const phase = ({ plan: 'plan', run: 'paused', ended: 'ended' } as const)[list.stage];
    state.show(isForeign ? 'foreign' : phase, list, entries);
  }

  /** Closes the journal when no page shows the desk and nothing runs. */
  #leave(): void {
    if (this.#pages > 0 || this.#run !== null || this.#state.journal === null) return;
    this.#state.journal.close();
    this.#forget('opening');
  }

  /** The journal is closed or deleted: another tab may take the desk. */
  #forget(phase: 'opening' | 'gone'): void {
    this.pause();
    this.#state.journal = null;
    this.#isHeld = false;
    this.#releaseLock();
    this.#state.show(phase, null, []);
  }
}

export const desk = new Desk();

/**
 * Waits until no other tab holds the lock `name`, and returns the function that releases it. `onWaiting` is called when
 * another tab holds it. In an insecure context browsers have no locks, and this one is granted at once.
 */
async function acquireTabLock(name: string, onWaiting: () => void): Promise<() => void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return () => {};
  const { promise: granted, resolve: grant } = Promise.withResolvers<() => void>();
  // The lock is held until the promise of its callback resolves.
  const hold = () => new Promise<void>((release) => grant(release));
  void locks.request(name, { ifAvailable: true }, (lock) => {
    if (lock !== null) return hold();
    onWaiting();
    void locks.request(name, hold);
    return undefined;
  });
  return granted;
}
