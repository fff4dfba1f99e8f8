import { FairLimiter } from '../limiter/fairLimiter.ts';
import { ReadTimeoutError } from './databaseErrors.ts';
import type { WorkspaceId } from './schema/tables.ts';

/** Milliseconds that a read of a service may take from when it begins. */
export const READ_LIMIT_MS = 5_000;

/** Milliseconds in which a read that took too long has given its place up, on a busy machine too. */
const END_MS = 2_500;

type ReadLimits = {
  /** Milliseconds for a read from when it begins; one that waits has a little more, so that it outlasts those that run. */
  limitMs: number;
  /** Reads in flight. */
  max: number;
  /** Reads in flight of one workspace, fewer than `max`, so that others find room. */
  maxPerWorkspace: number;
};

/** Queues reads: next comes one of the workspace with the fewest in flight, and reads of a workspace in their order. */
export class ReadLimiter {
  readonly #limitMs: number;
  readonly #maxPerWorkspace: number;
  readonly #all: FairLimiter;
  readonly #workspaces = new Map<WorkspaceId | null, FairLimiter>();
  #waiting = 0;

  constructor({ limitMs, max, maxPerWorkspace }: ReadLimits) {
    this.#limitMs = limitMs;
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
    const end = () => timeout.abort(new ReadTimeoutError(null));
    let timer = setTimeout(end, this.#limitMs + END_MS);
    const limiter = this.#workspaces.getOrInsertComputed(id, () => new FairLimiter(this.#maxPerWorkspace));
    let isWaiting = true;
    this.#waiting++;
    const begin = () => {
      isWaiting = false;
      this.#waiting--;
      clearTimeout(timer);
      timer = setTimeout(end, this.#limitMs);
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
