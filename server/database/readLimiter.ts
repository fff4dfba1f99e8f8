import { FairLimiter } from '../limiter/fairLimiter.ts';
import { ReadTimeoutError } from './databaseErrors.ts';
import type { WorkspaceId } from './tables.ts';

/** Milliseconds that a read of a service may take, including the time in the queue. */
export const READ_LIMIT_MS = 5_000;

type ReadLimits = {
  /** Reads in flight. */
  max: number;
  /** Reads in flight of one workspace, fewer than `max`, so that others find room. */
  maxPerWorkspace: number;
};

/** Queues reads: next comes one of the workspace with the fewest in flight, and reads of a workspace in their order. */
export class ReadLimiter {
  readonly #maxPerWorkspace: number;
  readonly #all: FairLimiter;
  readonly #workspaces = new Map<WorkspaceId | null, FairLimiter>();
  #waiting = 0;

  constructor({ max, maxPerWorkspace }: ReadLimits) {
    this.#maxPerWorkspace = maxPerWorkspace;
    this.#all = new FairLimiter(max);
  }

  /** Reads in the queue. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `act` in its turn. On timeout throws `ReadTimeoutError` where `act` has not begun, else aborts its signal
   * with that reason.
   */
  async run<Value>(id: WorkspaceId | null, act: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new ReadTimeoutError(null)), READ_LIMIT_MS);
    const limiter = this.#workspaces.getOrInsertComputed(id, () => new FairLimiter(this.#maxPerWorkspace));
    let isWaiting = true;
    this.#waiting++;
    const begin = () => {
      isWaiting = false;
      this.#waiting--;
      return act(timeout.signal);
    };
    try {
      return await limiter.run(() => this.#all.run(begin, timeout.signal, id), timeout.signal);
    } finally {
      if (isWaiting) this.#waiting--;
      clearTimeout(timer);
      if (limiter.isIdle) this.#workspaces.delete(id);
    }
  }
}
