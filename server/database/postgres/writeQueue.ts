import { FairLimiter } from '../../limiter/fairLimiter.ts';
import { DatabaseBusyError, LockTimeoutError } from '../databaseErrors.ts';
import type { WorkspaceId } from '../schema/tables.ts';

/** Writes of one workspace in flight: one that runs, and two that follow it without a pause. */
const MAX_PER_WORKSPACE = 3;

type WriteQueueOptions = {
  /** Size of the pool for writes. */
  connections: number;
  /** Milliseconds until a write that has not begun fails with `DatabaseBusyError`. */
  waitMs: number;
};

/**
 * Queues the writes of one process, which wait for those before them or for another process. A write in the queue holds no
 * connection, so that writes of one workspace never block those of another.
 */
export class WriteQueue {
  readonly #waitMs: number;
  readonly #connections: FairLimiter;
  readonly #workspaces = new Map<WorkspaceId | null, FairLimiter>();
  #waiting = 0;

  constructor({ connections, waitMs }: WriteQueueOptions) {
    this.#waitMs = waitMs;
    this.#connections = new FairLimiter(connections);
  }

  /** Writes that have not begun. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `attempt` in its turn, and again as long as it throws a `LockTimeoutError` before it has called `hasBegun`. It may wait for
   * locks for `leftMs` milliseconds. Throws `DatabaseBusyError` on timeout.
   */
  async run<Result>(
    id: WorkspaceId | null,
    attempt: (hasBegun: () => void, leftMs: number) => Promise<Result>,
  ): Promise<Result> {
    const end = performance.now() + this.#waitMs;
    // 0 would be no limit.
    const leftMs = () => Math.max(1, Math.ceil(end - performance.now()));
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new DatabaseBusyError(null)), this.#waitMs);
    const limiter = this.#workspaces.getOrInsertComputed(id, () => new FairLimiter(MAX_PER_WORKSPACE));
    let isWaiting = true;
    this.#waiting++;
    const hasBegun = () => {
      if (isWaiting) this.#waiting--;
      isWaiting = false;
    };
    try {
      return await limiter.run(async () => {
        for (;;) {
          try {
            return await this.#connections.run(() => attempt(hasBegun, leftMs()), timeout.signal);
          } catch (error) {
            if (!(isWaiting && error instanceof LockTimeoutError)) throw error;
          }
        }
      }, timeout.signal);
    } finally {
      if (isWaiting) this.#waiting--;
      clearTimeout(timer);
      if (limiter.isIdle) this.#workspaces.delete(id);
    }
  }
}
