import { Sender, workThrough } from '../../api/sender.ts';
import type { DeskEntry } from '../entry.ts';

export type DeskProgress = {
  done: number;
  total: number;
  /** Entries per second. */
  rate: number;
  /** Milliseconds until requests are sent again, after the service asked to wait. */
  waitMs: number;
  /** Whether the last request failed. */
  isFailing: boolean;
};

/** Works through entries until all are done, until a pause, or until an error that concerns all. */
export class Run {
  readonly #control = new AbortController();
  readonly #sender = new Sender(this.#control.signal);
  readonly #entries: readonly DeskEntry[];
  readonly #began = Date.now();
  #done = 0;
  /** Why it stopped by itself. */
  error: Error | null = null;
  /** Whether it was neither stopped nor paused. */
  isDone = false;

  constructor(entries: readonly DeskEntry[]) {
    this.#entries = entries;
  }

  get progress(): DeskProgress {
    const { waitMs, isFailing } = this.#sender;
    const seconds = Math.max(1, (Date.now() - this.#began) / 1000);
    return { done: this.#done, total: this.#entries.length, rate: this.#done / seconds, waitMs, isFailing };
  }

  /** Sends nothing more. Requests in flight are completed. */
  readonly pause = (): void => this.#control.abort(new DOMException('Paused', 'AbortError'));

  readonly send: Sender['send'] = (call) => this.#sender.send(call);

  /** Calls `handle` with each entry. What it throws concerns all. */
  async work(handle: (entry: DeskEntry) => Promise<void>): Promise<void> {
    const { signal } = this.#control;
    const handleNext = async (entry: DeskEntry) => {
      try {
        await handle(entry);
        this.#done += 1;
      } catch (error) {
        // What fails because of a pause is sent again.
        if (signal.aborted) return;
        this.error = error instanceof Error ? error : new Error(String(error));
        this.#control.abort(error);
      }
    };
    await workThrough(this.#entries, handleNext, signal);
    this.isDone = !signal.aborted;
  }
}
