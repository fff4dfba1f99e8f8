import { ApiError } from '../api/ApiError.ts';
import { AdaptiveSender } from '../api/adaptiveSender.ts';
import { queryClient } from '../session/queryClient.ts';
import { endSession } from '../session/session.ts';
import type { SendCall } from './calls.ts';
import type { DeskState } from './deskState.ts';
import { type DeskEntry, determineStatus, type EntryStatus, sumCounts, toErrorOutcome } from './entry.ts';
import { RunProgress } from './runProgress.ts';

/** Entries in work at the same time. */
const CONCURRENCY = 4;

/** Processes one entry, and sends its requests with `send`. */
type ProcessEntry = (entry: DeskEntry, send: SendCall) => Promise<void>;

/** One pass over the entries in certain states: a check or an unsubscribing. */
export class DeskRun {
  readonly #state: DeskState;
  readonly #phase: 'checking' | 'running';
  readonly #statuses: readonly EntryStatus[];
  readonly #sender = new AdaptiveSender();
  readonly #abort = new AbortController();
  readonly #progress: RunProgress;

  constructor(state: DeskState, phase: 'checking' | 'running', statuses: readonly EntryStatus[]) {
    this.#state = state;
    this.#phase = phase;
    this.#statuses = statuses;
    this.#progress = new RunProgress(sumCounts(state.counts, statuses), this.#sender);
  }

  /** Sends nothing more. Requests in flight are completed. */
  pause(): void {
    this.#abort.abort(new DOMException('Paused', 'AbortError'));
  }

  /**
   * Resolves when all entries are done, or when the run was paused or stopped by an error; the phase is then `paused`.
   */
  async execute(processEntry: ProcessEntry): Promise<void> {
    const state = this.#state;
    const queue = state.entries.filter((entry) => this.#statuses.includes(determineStatus(entry))).values();
    state.startRun(this.#phase, this.#progress);
    // The waiting time is shown, and it changes while no response comes.
    const updating = setInterval(() => state.scheduleNotify(), 1000);
    try {
      await Promise.all(Array.from({ length: CONCURRENCY }, () => this.#work(queue, processEntry)));
      if (this.#abort.signal.aborted && state.list !== null) state.setPhase('paused');
    } finally {
      clearInterval(updating);
    }
  }

  /** Takes entries from the queue that the workers share. */
  async #work(queue: Iterable<DeskEntry>, processEntry: ProcessEntry): Promise<void> {
    const { signal } = this.#abort;
    const send: SendCall = (call) => this.#sender.send(call, signal);
    for (const entry of queue) {
      if (signal.aborted) return;
      try {
        await processEntry(entry, send);
      } catch (error) {
        if (signal.aborted) return;
        if (!isOfEntry(error)) return this.#stop(error);
        await this.#saveError(entry, error);
      }
      this.#progress.countEntry();
      this.#state.scheduleNotify();
    }
  }

  /** Stops the run, because the next entry would fail as well. */
  #stop(error: unknown): void {
    // The sign-in page follows.
    if (error instanceof ApiError && error.status === 401) endSession(queryClient);
    this.#state.reportError((error as Error).message);
    this.#abort.abort(error);
  }

  async #saveError(entry: DeskEntry, error: ApiError): Promise<void> {
    if (this.#phase === 'checking') return this.#state.reportError(error.message);
    const latest = this.#state.entries[entry.index] ?? entry;
    await this.#state.saveEntry({ ...latest, outcome: toErrorOutcome(error) });
  }
}

/** Whether the error concerns one entry only. `SendingStoppedError` and errors of the journal concern all. */
function isOfEntry(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status !== 401;
}
