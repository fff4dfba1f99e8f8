import { must } from '#contract/must.ts';
import { type ApiError, isNotFound } from '../api/ApiError.ts';
import { newRun } from '../contact/unsubscribe.ts';
import { journalName, Journal } from '../journal/journal.ts';
import { followError } from '../session/queryClient.ts';
import { sessionSignal } from '../session/session.ts';
import { placeName } from '../session/workspaces.ts';
import { checkEntry, type ListAccess, unsubscribeEntry } from './calls.ts';
import { ContactClaims } from './contactClaims.ts';
import { DeskStore } from './deskStore.ts';
import { type DeskEvent, type LoadedState, type ReadList, type RunningList, type UndoneList } from './deskState.ts';
import {
  createEntry,
  createOutcome,
  createUndo,
  type DeskEntry,
  determineStatus,
  type EntryStatus,
  OPEN_STATUSES,
  type ReadEntry,
  statusesToCheck,
  toErrorOutcome,
  UNDOABLE_STATUSES,
} from './entry.ts';
import { findRunInLog, type RunInLog } from './lostAnswers.ts';
import { QueueRunner, type QueueEnd, type SendCall } from './queueRunner.ts';
import { markRail } from './markRail.ts';
import type { DeskProgress } from './runProgress.ts';
import { readStoredList } from './storedList.ts';
import { acquireTabLock } from './tabLock.ts';
import { undoEntry } from './undoCalls.ts';

/** What a session allows. */
type DeskPermissions = {
  /** UUID of the workspace; null when the service does not say it. */
  workspace: string | null;
  /** Whether the service can be asked for the record of a contact. */
  canRead: boolean;
  /** Whether the service can be searched for contacts. */
  canList: boolean;
  /** Whether the service has a log of the changes of a contact. */
  hasLog: boolean;
  /** Whether the log has runs. */
  hasRuns: boolean;
};

/** One pass over the entries: which, what is done with each, and how an error that concerns one entry is kept. */
type Pass = {
  statuses: readonly EntryStatus[];
  handle: (entry: DeskEntry, list: ListAccess, send: SendCall) => Promise<void>;
  onError: (entry: DeskEntry, error: ApiError) => Promise<void>;
};

/**
 * The list at the desk, from the input to the receipt. It outlives the page: a run goes on while another page is open. It
 * outlives the tab: each step is in the journal before its request is sent. Only one tab at a time has the desk.
 */
class Desk {
  readonly #store = new DeskStore();
  #permissions: DeskPermissions = { workspace: null, canRead: false, canList: false, hasLog: false, hasRuns: false };
  /** Pages that show the desk. */
  #pages = 0;
  #journal: Journal | null = null;
  #isHeld = false;
  #releaseLock = () => {};
  #runner: QueueRunner | null = null;
  #isStopped = false;
  /** The last reading of a list, which goes on while another page is open. */
  #reading: symbol | null = null;
  /**
   * Lists that are being written to the journal in place of this one, which is shown until then. Its entries would take the places
   * of others in the new one.
   */
  #replacing = 0;

  readonly subscribe = this.#store.subscribe;
  readonly snapshot = this.#store.snapshot;

  constructor() {
    this.#store.subscribe(() => markRail(this.#store.snapshot()));
  }

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
      setTimeout(() => void this.#leave());
    };
  }

  /**
   * Replaces the list by what `read` gives. False where it did not: meanwhile another reading began, the list was deleted or is
   * processed, or the session has ended.
   */
  async startList(read: () => Promise<ReadList>): Promise<boolean> {
    const journal = this.#journal;
    const session = sessionSignal();
    const reading = Symbol('reading');
    this.#reading = reading;
    try {
      const found = await read();
      const isWanted = reading === this.#reading && journal === this.#journal && !session.aborted;
      if (!isWanted || this.#runner !== null) return false;
      await this.#replaceList(found);
      return true;
    } finally {
      if (reading === this.#reading) this.#reading = null;
      this.#leaveUnlessShown(session);
    }
  }

  async #replaceList({ entries, ...list }: ReadList): Promise<void> {
    this.#replacing += 1;
    try {
      await this.#store.replaceList(
        { ...list, workspace: this.#permissions.workspace, stage: 'plan', added: 0 },
        entries.map(createEntry),
      );
    } finally {
      this.#replacing -= 1;
    }
  }

  /** Appends entries to the list, which is not run yet. Those that it has stay as they are. */
  async addEntries(read: readonly ReadEntry[]): Promise<void> {
    this.#checkNotReplaced();
    await this.#store.showAndSaveEntries({ type: 'added', entries: read.map(createEntry) });
  }

  async discard(): Promise<void> {
    this.#reading = null;
    await this.#store.deleteList();
  }

  /** Ticks these entries, or unticks them, unless the list is being replaced. */
  async tick(entries: readonly DeskEntry[], isTicked: boolean): Promise<void> {
    if (this.#replacing > 0) return;
    await this.#store.showAndSaveEntries({
      type: 'changed',
      entries: entries.map((entry) => ({ ...entry, isTicked })),
    });
  }

  /** Looks up the contacts that are not checked yet, or again where a run would send nothing; changes none. */
  async check(): Promise<void> {
    const { canRead, canList } = this.#permissions;
    const pass: Pass = {
      statuses: statusesToCheck(this.#loaded.counts),
      handle: async (entry, list, send) => checkEntry(entry, list, { canRead, canList, send }),
      onError: async (_, { message }) => this.#store.dispatch({ type: 'unchecked', error: message }),
    };
    const end = await this.#execute(pass, async (progress) => this.#store.dispatch({ type: 'checking', progress }));
    this.#store.dispatch(end.isDone ? { type: 'checked' } : { type: 'stopped', error: end.error?.message ?? null });
  }

  /** Unsubscribes all ticked contacts of the list that may be subscribed. After a pause it continues with the rest. */
  async run(workspace: string): Promise<void> {
    const { list } = this.#loaded;
    const began_at = 'began_at' in list ? list.began_at : new Date().toISOString();
    const run = 'began_at' in list ? list.run : this.#permissions.hasRuns ? newRun() : undefined;
    await this.#unsubscribe({ stage: 'run', source: list.source, workspace, began_at, ...(run && { run }) });
  }

  /** Runs the list again for the entries that failed. */
  async retryFailed(workspace: string): Promise<void> {
    const failed = this.#loaded.entries.filter(({ outcome }) => outcome?.state === 'failed');
    // A request that was sent may have unsubscribed the contact, where only the answer was lost.
    await this.#store.saveEntries(
      failed.map((entry) => {
        const { sent_at } = must(entry.outcome);
        return { ...entry, outcome: sent_at.length === 0 ? null : { ...createOutcome('sent'), sent_at } };
      }),
    );
    await this.run(workspace);
  }

  /**
   * Subscribes again whom the run has unsubscribed; `reason` is recorded with each. After a pause it continues with the
   * rest.
   */
  async undo(reason: string): Promise<void> {
    const { list, entries } = this.#loaded;
    if (list.stage === 'undo') return this.#undo(list);
    if (list.stage !== 'ended') throw new Error(`A list in the stage ${list.stage} cannot be undone.`);
    const failed = entries.filter(({ undo }) => undo?.state === 'failed');
    await this.#store.saveEntries(failed.map((entry) => ({ ...entry, undo: null })));
    await this.#undo({ ...list, stage: 'undo', undo: { reason, began_at: new Date().toISOString() } });
  }

  /** Continues the run or the undo that was paused. */
  async resume(workspace: string): Promise<void> {
    const { list } = this.#loaded;
    await (list.stage === 'undo' ? this.#undo(list) : this.run(workspace));
  }

  /** Sends nothing more. Requests in flight are completed. */
  pause(): void {
    this.#runner?.pause();
  }

  /** Pauses, and then ends the list. */
  stop(): void {
    this.#isStopped = true;
    this.pause();
  }

  /** Ends the list as it is. What has not been sent is not sent any more. */
  async end(): Promise<void> {
    const { list } = this.#loaded;
    const ended_at = new Date().toISOString();
    if (list.stage === 'run') await this.#save({ ...list, stage: 'ended', ended_at, is_saved: false, undo: null });
    if (list.stage === 'undo') {
      await this.#save({ ...list, stage: 'ended', is_saved: false, undo: { ...list.undo, ended_at } });
    }
  }

  /** Notes that the receipt was downloaded: the list can then be deleted without a question. */
  async markSaved(): Promise<void> {
    const { list } = this.#loaded;
    if (list.stage === 'ended') await this.#save({ ...list, is_saved: true });
  }

  /** The state with its list. Throws when there is none. */
  get #loaded(): LoadedState {
    const { state } = this.#store;
    if (!('entries' in state)) throw new Error('There is no list at the desk.');
    return state;
  }

  #checkNotReplaced(): void {
    if (this.#replacing > 0) throw new Error('Another list is being written.');
  }

  async #save(list: Extract<DeskEvent, { type: 'ended' }>['list']): Promise<void> {
    await this.#store.saveList(list, { type: 'ended', list });
  }

  async #unsubscribe(list: RunningList): Promise<void> {
    const { canRead, hasLog } = this.#permissions;
    const { workspace, run } = list;
    const findRun = this.#createRunFinder();
    await this.#begin(list, {
      statuses: OPEN_STATUSES,
      handle: async (entry, access, send) =>
        unsubscribeEntry(entry, access, {
          workspace,
          run,
          canRead,
          findRun: hasLog ? async () => findRun(send) : null,
          send,
        }),
      onError: async (entry, error) => {
        // Nobody was found in the workspace yet, so its ID may be mistyped.
        if (isNotFound(error) && this.#loaded.counts.all.unsubscribed === 0) throw error;
        const sent_at = this.#store.entryAt(entry.index)?.outcome?.sent_at ?? [];
        await this.#saveLatest(entry, { outcome: { ...toErrorOutcome(error), sent_at } });
      },
    });
  }

  async #undo(list: UndoneList): Promise<void> {
    const { workspace, undo, run } = list;
    const findRun = this.#createRunFinder();
    await this.#begin(list, {
      statuses: UNDOABLE_STATUSES,
      handle: async (entry, access, send) =>
        undoEntry(entry, access, { workspace, reason: undo.reason, run, findRun: async () => findRun(send), send }),
      onError: async (entry, { requestId, message }) =>
        this.#saveLatest(entry, { undo: createUndo('failed', requestId ?? null, message) }),
    });
  }

  /** Asks once for what the run looks like in the log; again while nothing is known. */
  #createRunFinder(): (send: SendCall) => Promise<RunInLog | null> {
    let known: RunInLog | null = null;
    return async (send) => (known ??= await findRunInLog(this.#loaded.entries, send));
  }

  async #saveLatest({ index }: DeskEntry, change: Partial<DeskEntry>): Promise<void> {
    const latest = this.#store.entryAt(index);
    if (latest !== undefined) await this.#store.saveEntries([{ ...latest, ...change }]);
  }

  /** Runs or continues a list, and ends it when all is done or the run was stopped. */
  async #begin(list: RunningList | UndoneList, pass: Pass): Promise<void> {
    this.#isStopped = false;
    window.addEventListener('beforeunload', askBeforeClosing);
    const end = await this.#execute(pass, async (progress) =>
      this.#store.saveList(list, { type: 'began', list, progress }),
    ).finally(() => window.removeEventListener('beforeunload', askBeforeClosing));
    const { state } = this.#store;
    if (state.phase !== 'running') return;
    if (end.isDone || (this.#isStopped && end.error === null)) return this.end();
    await this.#store.saveList(state.list, { type: 'stopped', error: end.error?.message ?? null });
  }

  async #execute(pass: Pass, begin: (progress: DeskProgress) => Promise<void>): Promise<QueueEnd> {
    if (this.#runner !== null) throw new Error('The list is being processed already.');
    this.#checkNotReplaced();
    const store = this.#store;
    const open = this.#loaded.entries.filter(
      (entry) => entry.isTicked && pass.statuses.includes(determineStatus(entry)),
    );
    // Those whose answer was lost are last: by then the log is known to have others of this run.
    const items = open.toSorted((one, other) => Number(isUnconfirmed(one)) - Number(isUnconfirmed(other)));
    const runner = new QueueRunner(items.length);
    this.#runner = runner;
    const showProgress = () => store.dispatch({ type: 'progressed', progress: runner.readProgress() });
    // What is still to be sent would be sent, and logged, in the name of whoever is signed in next.
    const session = sessionSignal();
    const pause = () => runner.pause();
    session.addEventListener('abort', pause);
    let updating;
    try {
      await begin(runner.readProgress());
      // The waiting time is shown, and it changes while no answer comes.
      updating = setInterval(showProgress, 1000);
      const end = await runner.run({ items, ...this.#createWork(pass), onProgress: showProgress });
      if (!end.isDone) followError(end.error);
      return end;
    } finally {
      session.removeEventListener('abort', pause);
      clearInterval(updating);
      this.#runner = null;
      this.#leaveUnlessShown(session);
    }
  }

  #createWork({ handle, onError }: Pass) {
    const store = this.#store;
    const claims = new ContactClaims(this.#loaded.entries);
    const access: ListAccess = {
      save: async (entry) => store.saveEntries([entry]),
      claim: async (entry, uuid) => {
        const { repeats, displaced } = claims.claim(entry, uuid, store.entryAt);
        if (displaced !== null) await store.saveEntries([displaced]);
        return repeats;
      },
    };
    return { handle: async (entry: DeskEntry, send: SendCall) => handle(entry, access, send), onError };
  }

  #open(): void {
    if (this.#isHeld || this.#pages === 0) return;
    this.#isHeld = true;
    void this.#hold().then(
      async () => this.#leave(),
      (error: unknown) => {
        this.#release();
        this.#store.dispatch({ type: 'failed', error: error instanceof Error ? error.message : String(error) });
      },
    );
  }

  /** Waits for the lock, and shows the list of the journal. */
  async #hold(): Promise<void> {
    const store = this.#store;
    this.#releaseLock = await acquireTabLock(journalName(placeName()), () => store.dispatch({ type: 'waited' }));
    const journal = await Journal.open(placeName(), () => this.#forget('gone'));
    this.#journal = journal;
    store.journal = journal;
    const contents = await journal.read();
    const { workspace } = this.#permissions;
    const stored = contents === null ? { list: null, entries: [] } : readStoredList(contents);
    store.dispatch(
      stored === null ? { type: 'unreadable', contents: must(contents) } : { type: 'opened', ...stored, workspace },
    );
  }

  /** To be called at the end of what went on while the page was left. `session`: that of its start. */
  #leaveUnlessShown(session: AbortSignal): void {
    if (this.#pages === 0 || session.aborted) setTimeout(() => void this.#leave(session.aborted));
  }

  /**
   * Closes the journal when no page shows the desk and nothing is read or runs, after what is being written. A page that was opened in the
   * next session reads it anew: the list may be of another workspace.
   */
  async #leave(isNextSession = false): Promise<void> {
    await this.#store.settle();
    if (this.#pages > 0 && !isNextSession) return;
    if (this.#reading !== null || this.#runner !== null || this.#journal === null) return;
    this.#forget('closed');
    this.#open();
  }

  /** The page was left, or the journal deleted. */
  #forget(type: 'closed' | 'gone'): void {
    this.pause();
    this.#release();
    this.#store.dispatch({ type });
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

const isUnconfirmed = (entry: DeskEntry) => determineStatus(entry) === 'sent';

/** The browser asks before it closes the tab. */
const askBeforeClosing = (event: BeforeUnloadEvent) => {
  // A sign-out sends such an event too (shell/SessionMenu.tsx), and asks about the list by itself.
  if (event.isTrusted) event.preventDefault();
};

export const desk = new Desk();
