import { ApiError } from '../api/ApiError.ts';
import { AdaptiveSender } from '../api/adaptiveSender.ts';
import { type DeskProgress, RunProgress } from './runProgress.ts';

/** Items in work at the same time. */
const CONCURRENCY = 4;

/** Sends a request, and retries it when the error is transient. `AdaptiveSender` limits the rate. */
export type SendCall = <Answer>(call: () => Promise<Answer>) => Promise<Answer>;

type Work<Item> = {
  items: readonly Item[];
  handle: (item: Item, send: SendCall) => Promise<void>;
  /** Called with an error that concerns this item only. */
  onError: (item: Item, error: ApiError) => Promise<void>;
  onProgress: () => void;
};

/** `error`: why it stopped by itself; null after a pause. */
export type QueueEnd = { isDone: true } | { isDone: false; error: Error | null };

/** Processes the items of a queue, some at a time, until all are done, until a pause, or until an error concerns all. */
export class QueueRunner {
  readonly #sender = new AdaptiveSender();
  readonly #abort = new AbortController();
  readonly #progress: RunProgress;
  #error: Error | null = null;

  /** `total`: items to be shown as the whole. */
  constructor(total: number) {
    this.#progress = new RunProgress(total, this.#sender);
  }

  readProgress(): DeskProgress {
    return this.#progress.read();
  }

  /** Sends nothing more. Requests in flight are completed. */
  pause(): void {
    this.#abort.abort(new DOMException('Paused', 'AbortError'));
  }

  async run<Item>(work: Work<Item>): Promise<QueueEnd> {
    const queue = work.items.values();
    await Promise.all(Array.from({ length: CONCURRENCY }, () => this.#work(queue, work)));
    return this.#abort.signal.aborted ? { isDone: false, error: this.#error } : { isDone: true };
  }

  /** Takes items from the queue that the workers share. */
  async #work<Item>(queue: Iterable<Item>, { handle, onError, onProgress }: Work<Item>): Promise<void> {
    const { signal } = this.#abort;
    const send: SendCall = (call) => this.#sender.send(call, signal);
    for (const item of queue) {
      if (signal.aborted) return;
      try {
        await handle(item, send).catch((error: unknown) => {
          if (signal.aborted || !isOfItem(error)) throw error;
          return onError(item, error);
        });
      } catch (error) {
        this.#stop(error);
        return;
      }
      this.#progress.countEntry();
      onProgress();
    }
  }

  /** Stops, because the next item would fail as well. */
  #stop(error: unknown): void {
    // What fails because of a pause is sent again.
    if (this.#abort.signal.aborted) return;
    this.#error = error instanceof Error ? error : new Error(String(error));
    this.#abort.abort(error);
  }
}

/**
 * Whether the error concerns one item only. `SendingStoppedError` and errors of the journal concern all, and so does a session
 * that has ended (401) or may not do this any more (403).
 */
function isOfItem(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status !== 401 && error.status !== 403;
}
