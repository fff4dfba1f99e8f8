import type { Unsubscription } from '#contract/suppression.ts';
import type { ParsedEntry } from '../listParser/readEntries.ts';
import { newRun } from '../identity/unsubscribe.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { setRailMark } from '../ui/page/railMarks.ts';
import { paths } from '../url/paths.ts';
import { checkEntry, isOfEntry, undoEntry, unsubscribeEntry } from './run/calls.ts';
import { BulkLifecycle, BulkStore } from './bulkStore.ts';
import {
  OPEN_STATUSES,
  UNDOABLE_STATUSES,
  addEntries,
  changeEntries,
  countWork,
  createEntry,
  createOutcome,
  statusesToCheck,
  stop,
  type BulkEntry,
  type BulkState,
  type EndedList,
  type EntryStatus,
  type ReadList,
  type RunningList,
  type UndoneList,
} from './bulkState.ts';
import { Run } from './run/run.ts';

/** Entries of a list that is checked by itself, at most: it takes a few seconds. */
const CHECKED_MAX = 500;

/**
 * The list of a bulk unsubscribe, from the input to the receipt. It outlives the page: a run continues while another page is
 * open. It outlives the tab: each step is in the journal before its request is sent.
 */
class BulkUnsubscribe {
  readonly #store = new BulkStore();
  readonly #lifecycle = new BulkLifecycle(this.#store, () => this.pause());
  #run: Run | null = null;
  /** The last reading of a list, which continues while another page is open. */
  #reading: symbol | null = null;
  /** Whether a list was read that nobody has seen yet. */
  #isNew = false;
  /** Lists that are being written to the journal while the previous one is shown, whose changes would overwrite entries of the new one. */
  #replacing = 0;

  readonly subscribe = this.#store.subscribe;
  readonly snapshot = this.#store.snapshot;
  readonly attach: BulkLifecycle['attach'] = (session) => this.#lifecycle.attach(session);

  constructor() {
    this.#store.subscribe(() => markRail(this.#store.snapshot()));
  }

  /** Replaces the list. False if meanwhile another reading began, the list was deleted or is being processed, or the session ended. */
  async startList(read: () => Promise<ReadList>): Promise<boolean> {
    const reading = Symbol('reading');
    this.#reading = reading;
    return this.#lifecycle.keepFor(async (isCurrent) => {
      const found = await read();
      if (reading !== this.#reading || !isCurrent() || this.#run !== null) return false;
      this.#isNew = true;
      await this.#replaceList(found);
      return true;
    });
  }

  async #replaceList({ entries, ...list }: ReadList): Promise<void> {
    const { workspace } = this.#lifecycle.session;
    this.#replacing += 1;
    try {
      await this.#store.replaceList({ ...list, workspace, stage: 'plan', added: 0 }, entries.map(createEntry));
    } finally {
      this.#replacing -= 1;
    }
  }

  /** Appends entries to a list that has not run yet. */
  async addEntries(read: readonly ParsedEntry[]): Promise<void> {
    this.#checkNotReplaced();
    const state = this.#store.loaded;
    if (state.phase !== 'plan') throw new Error('The list is already being processed.');
    const entries = read.map(createEntry);
    this.#isNew = true;
    await this.#store.showAndSave(addEntries(state, entries), entries);
  }

  async discard(): Promise<void> {
    this.#reading = null;
    await this.#store.deleteList();
  }

  /** Does nothing while the list is being replaced. */
  async select(entries: readonly BulkEntry[], isSelected: boolean): Promise<void> {
    if (this.#replacing > 0) return;
    const changed = entries.map((entry) => ({ ...entry, isSelected }));
    await this.#store.showAndSave(changeEntries(this.#store.loaded, changed), changed);
  }

  /** Whether to check the list by itself: once, so that a check that was stopped stays stopped. */
  takeCheck(): boolean {
    const isNew = this.#isNew;
    this.#isNew = false;
    return isNew && this.#lifecycle.session.hasAdditions && this.#store.loaded.entries.length <= CHECKED_MAX;
  }

  /** Looks up contacts without changing them. */
  async check(): Promise<void> {
    const store = this.#store;
    let failure: string | null = null;
    const handle = async (entry: BulkEntry, run: Run) => {
      try {
        return await checkEntry(entry, run);
      } catch (error) {
        if (!isOfEntry(error)) throw error;
        failure ??= error.message;
        return entry;
      }
    };
    const run = await this.#work(statusesToCheck(store.loaded.counts), handle, async ({ progress }) => {
      const { state } = store;
      if (state.phase === 'plan') store.show({ ...state, phase: 'checking', error: null, progress });
    });
    store.show(stop(store.state, failure ?? run.error?.message ?? null));
  }

  /** Unsubscribes the selected contacts that may be subscribed. After a pause it continues with the rest, and with what was said first. */
  async run(workspace: string, saidNow?: Unsubscription): Promise<void> {
    const { list } = this.#store.loaded;
    const { hasAdditions } = this.#lifecycle.session;
    const { began_at, run, said } =
      'began_at' in list
        ? list
        : { began_at: new Date().toISOString(), run: hasAdditions ? newRun() : undefined, said: saidNow };
    const running: RunningList = { stage: 'run', source: list.source, workspace, began_at, run, said };
    await this.#runList(running, OPEN_STATUSES, (entry, run) => unsubscribeEntry(entry, run, running));
  }

  /** Runs the list again for the entries that failed. */
  async retryFailed(workspace: string): Promise<void> {
    const failed = this.#store.loaded.entries.filter(({ outcome }) => outcome?.state === 'failed');
    await this.#store.saveEntries(
      failed.map((entry) => ({
        ...entry,
        outcome: entry.outcome?.wasLost ? createOutcome('sent', entry.outcome.at) : null,
      })),
    );
    await this.run(workspace);
  }

  /** Subscribes the contacts that the run unsubscribed again. After a pause it continues with the rest. */
  async undo(reason: string): Promise<void> {
    const { list, entries } = this.#store.loaded;
    if (list.stage === 'undo') return this.#undo(list);
    if (list.stage !== 'ended') throw new Error(`A list in stage ${list.stage} can't be undone.`);
    const failed = entries.filter(({ undo }) => undo?.state === 'failed');
    await this.#store.saveEntries(failed.map((entry) => ({ ...entry, undo: null })));
    await this.#undo({ ...list, stage: 'undo', undo: { reason, began_at: new Date().toISOString() } });
  }

  /** Continues the run or the undo that was paused. */
  async resume(workspace: string): Promise<void> {
    const { list } = this.#store.loaded;
    await (list.stage === 'undo' ? this.#undo(list) : this.run(workspace));
  }

  /** Sends nothing more. Requests in flight are completed. */
  pause(): void {
    this.#run?.pause();
  }

  /** Pauses, and then ends the list. */
  stop(): void {
    if (this.#run !== null) this.#run.isStopped = true;
    this.pause();
  }

  /** Ends the list without sending the rest. */
  async end(): Promise<void> {
    const { list } = this.#store.loaded;
    const ended_at = new Date().toISOString();
    if (list.stage === 'run') await this.#saveEnded({ ...list, stage: 'ended', ended_at, is_saved: false, undo: null });
    if (list.stage === 'undo') {
      await this.#saveEnded({ ...list, stage: 'ended', is_saved: false, undo: { ...list.undo, ended_at } });
    }
  }

  /** Records that the receipt was downloaded: the list can then be deleted without a question. */
  async markSaved(): Promise<void> {
    const { list } = this.#store.loaded;
    if (list.stage === 'ended') await this.#saveEnded({ ...list, is_saved: true });
  }

  #checkNotReplaced(): void {
    if (this.#replacing > 0) throw new Error('Another list is being written.');
  }

  async #saveEnded(list: EndedList): Promise<void> {
    await this.#store.saveList(list, ({ entries, counts }) => ({ phase: 'ended', list, entries, counts }));
  }

  async #undo(list: UndoneList): Promise<void> {
    await this.#runList(list, UNDOABLE_STATUSES, (entry, run) => undoEntry(entry, run, list));
  }

  /** Runs or continues a list, and ends it when all is done or the run was stopped. */
  async #runList(list: RunningList | UndoneList, statuses: readonly EntryStatus[], handle: Step): Promise<void> {
    window.addEventListener('beforeunload', askBeforeClosing);
    const run = await this.#work(statuses, handle, ({ progress }) =>
      this.#store.saveList(list, ({ entries, counts }) => ({ phase: 'running', list, entries, counts, progress })),
    ).finally(() => window.removeEventListener('beforeunload', askBeforeClosing));
    if (this.#store.state.phase !== 'running') return;
    if (run.isDone || (run.isStopped && run.error === null)) return this.end();
    await this.#store.saveList(list, (state) => stop(state, run.error?.message ?? null));
  }

  /** Works through the entries in these statuses, after `begin` has shown it. */
  async #work(statuses: readonly EntryStatus[], handle: Step, begin: (run: Run) => Promise<void>): Promise<Run> {
    if (this.#run !== null) throw new Error('The list is already being processed.');
    this.#checkNotReplaced();
    const run = new Run(this.#store, statuses, this.#lifecycle.session.hasAdditions);
    this.#run = run;
    return this.#lifecycle.keepFor(async () => {
      try {
        await run.work(
          () => begin(run),
          (entry) => handle(entry, run),
        );
        return run;
      } finally {
        this.#run = null;
      }
    });
  }
}

/** What a run does with each entry; the result is saved. */
type Step = (entry: BulkEntry, run: Run) => Promise<BulkEntry>;

/** Shows in the navigation how many entries are left. A closed list keeps its mark. */
function markRail(state: BulkState): void {
  if (state.phase === 'opening' || state.phase === 'elsewhere') return;
  const isRunning = state.phase === 'running';
  const isUnfinished = isRunning || state.phase === 'paused';
  const mark = isUnfinished ? { text: `${formatCount(countWork(state).left)} left`, isRunning } : null;
  setRailMark(paths.bulk, mark);
}

/** The browser asks before it closes the tab. */
const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault();

export const bulk = new BulkUnsubscribe();
