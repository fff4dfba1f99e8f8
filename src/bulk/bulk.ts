import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import type { ParsedEntry } from '../listParser/readEntries.ts';
import { queryClient } from '../session/queryClient.ts';
import { sessionQuery } from '../session/session.ts';
import { newRun } from '../identity/unsubscribe.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { ApiError } from '../api/ApiError.ts';
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
import { keepRun } from './runs/keepRun.ts';
import { readOutcomes, readUndone } from './runs/readOutcomes.ts';
import type { KeptRun } from './runs/takeRun.ts';
import { Run } from './run/run.ts';
import { type Chosen, leaveOutBy } from './reading/question.ts';

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

  readonly takeOver = (): void => this.#lifecycle.takeOver();

  constructor() {
    this.#store.subscribe(() => markRail(this.#store.snapshot()));
  }

  readonly typed = (): string => this.#store.typed;
  /** Keeps what was typed and not read yet. */
  readonly type = (text: string): Promise<void> => this.#store.saveTyped(text);

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

  /** Takes a run that the service keeps, to continue or undo it here. False if meanwhile the session ended or another list runs. */
  async takeRun(read: () => Promise<KeptRun>): Promise<boolean> {
    return this.#lifecycle.keepFor(async (isCurrent) => {
      const { list, entries } = await read();
      if (!isCurrent() || this.#run !== null) return false;
      this.#checkNotReplaced();
      await this.#store.replaceList(list, entries);
      return true;
    });
  }

  async discard(): Promise<void> {
    this.#reading = null;
    await this.#store.deleteList();
  }

  /** Does nothing while the list is being replaced, or as soon as it is processed: what is left of a run is sent without a question. */
  async select(entries: readonly BulkEntry[], isSelected: boolean): Promise<void> {
    if (this.#replacing > 0 || this.#run !== null || this.#store.loaded.phase !== 'plan') return;
    const changed = entries.map((entry) => ({ ...entry, isSelected }));
    await this.#store.showAndSave(changeEntries(this.#store.loaded, changed), changed);
  }

  /** Answers who is meant by the table. Entries for which that changes nothing stay as they are. */
  async choose(chosen: Chosen): Promise<void> {
    this.#checkNotReplaced();
    const state = this.#store.loaded;
    const question = state.phase === 'plan' ? state.list.question : undefined;
    if (this.#run !== null || state.phase !== 'plan' || question === undefined)
      throw new Error('The list is already being processed.');
    const answered = { ...question, chosen };
    const changed = state.entries.flatMap((entry) => {
      const leftOut = leaveOutBy(answered, entry);
      return leftOut === entry.leftOut ? [] : { ...entry, leftOut, isSelected: leftOut === null };
    });
    this.#isNew = true;
    const next = { ...state, list: { ...state.list, question: answered } };
    await this.#store.showAndSave(changeEntries(next, changed), changed);
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
    const { author, began_at, run, said, kept } =
      'began_at' in list
        ? list
        : {
            author: readOwnName(),
            began_at: new Date().toISOString(),
            run: hasAdditions ? newRun() : undefined,
            said: saidNow,
            kept: undefined,
          };
    const { source, digest } = list;
    const running: RunningList = { stage: 'run', source, workspace, author, began_at, run, said, digest, kept };
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
    const undo = { reason, author: readOwnName(), began_at: new Date().toISOString() };
    await this.#undo({ ...list, stage: 'undo', undo });
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

  /** Reads, and shows, what others undid of a list since. Gives whether the service has begun an undo of it. */
  async readUndone(): Promise<boolean> {
    const { list, entries, counts } = this.#store.loaded;
    if (!('run' in list) || list.run === undefined || !this.#lifecycle.session.keepsRuns) return false;
    const { isUndone, changed } = await readUndone(list.run, entries, counts.all.resubscribed + counts.all.undone);
    const { state } = this.#store;
    const isSame = 'entries' in state && 'run' in state.list && state.list.run === list.run;
    if (this.#run === null && isSame && changed.length > 0)
      await this.#store.showAndSave(changeEntries(state, changed), changed);
    return isUndone;
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
    const { keepsRuns } = this.#lifecycle.session;
    let shown = list;
    const show = ({ progress }: Run) =>
      this.#store.saveList(shown, ({ entries, counts }) => ({
        phase: 'running',
        list: shown,
        entries,
        counts,
        progress,
      }));
    const prepare = async (run: Run) => {
      if (!keepsRuns || list.stage !== 'run') return;
      shown = { ...list, author: await keepRun(list, this.#store.loaded.entries, run) };
      await show(run);
    };
    const finish = async ({ send }: Run) => {
      if (keepsRuns && list.run !== undefined)
        await this.#store.saveEntries(await readOutcomes(list.run, this.#store.loaded.entries, send));
    };
    const run = await this.#work(statuses, handle, show, prepare, finish).finally(() =>
      window.removeEventListener('beforeunload', askBeforeClosing),
    );
    if (this.#store.state.phase !== 'running') return;
    if (run.isDone || (run.isStopped && run.error === null)) return this.end();
    // The service refuses what is left of a list that somebody undid meanwhile.
    const isRefused = list.stage === 'run' && run.error instanceof ApiError && run.error.status === 403;
    if (isRefused && (await this.readUndone().catch(() => false))) return this.end();
    await this.#store.saveList(shown, (state) => stop(state, run.error?.message ?? null));
  }

  /** Works through the entries in these statuses, after `begin` has shown it. */
  async #work(
    statuses: readonly EntryStatus[],
    handle: Step,
    begin: (run: Run) => Promise<void>,
    prepare: (run: Run) => Promise<void> = async () => {},
    finish: (run: Run) => Promise<void> = async () => {},
  ): Promise<Run> {
    if (this.#run !== null) throw new Error('The list is already being processed.');
    this.#checkNotReplaced();
    const run = new Run(this.#store, statuses, this.#lifecycle.session.hasAdditions);
    this.#run = run;
    return this.#lifecycle.keepFor(async () => {
      try {
        await run.work(
          () => begin(run),
          () => prepare(run),
          (entry) => handle(entry, run),
          () => finish(run),
        );
        return run;
      } finally {
        this.#run = null;
      }
    });
  }
}

/** The name of the signed-in person; null for a token. */
function readOwnName(): string | null {
  const person = queryClient.getQueryData(sessionQuery.queryKey)?.person ?? null;
  return person && (person.name || person.email);
}

/** What a run does with each entry; the result is saved. */
type Step = (entry: BulkEntry, run: Run) => Promise<BulkEntry>;

/** Shows in the navigation how many entries are left. A closed list keeps its mark. */
function markRail(state: BulkState): void {
  if (state.phase === 'opening' || state.phase === 'elsewhere') return;
  const isRunning = state.phase === 'running';
  const isUnfinished = isRunning || state.phase === 'paused';
  const mark = isUnfinished
    ? { text: `${formatCount(countWork(state).left)} left`, isRunning, run: state.list.run }
    : null;
  setRailMark(paths.bulk, mark);
}

/** The browser asks before it closes the tab. */
const askBeforeClosing = (event: BeforeUnloadEvent) => event.preventDefault();

export const bulk = new BulkUnsubscribe();
