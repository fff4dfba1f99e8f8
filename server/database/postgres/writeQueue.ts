import { Turns } from '../../limiter/turns.ts';
import { DatabaseBusyError, LockTimeoutError } from '../databaseErrors.ts';
import type { WorkspaceId } from '../tables.ts';

/** Writes of one workspace that are with the server at once: one that works, and two that follow it without a pause. */
const MAX_PER_WORKSPACE = 3;

type WriteQueueOptions = {
  /** Connections that there are for writes. */
  connections: number;
  /** Milliseconds until a write that has not begun is a `DatabaseBusyError`. */
  waitMs: number;
};

/**
 * The writes of one process that wait, for those before them or for another process. Who waits here holds no connection, so that
 * writes of one workspace never keep those of another waiting.
 */
export class WriteQueue {
  readonly #limits: WriteQueueOptions;
  readonly #connections: Turns;
  readonly #workspaces = new Map<WorkspaceId | null, Turns>();
  #waiting = 0;

  constructor(limits: WriteQueueOptions) {
    this.#limits = limits;
    this.#connections = new Turns(limits.connections);
  }

  /** Writes that have not begun. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Runs `attempt` when it is its turn, and again while it throws a `LockTimeoutError` before it has said that it `hasBegun`. */
  async run<Result>(id: WorkspaceId | null, attempt: (hasBegun: () => void) => Promise<Result>): Promise<Result> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(new DatabaseBusyError(null)), this.#limits.waitMs);
    const turns = this.#workspaces.getOrInsertComputed(id, () => new Turns(MAX_PER_WORKSPACE));
    let isWaiting = true;
    this.#waiting++;
    const hasBegun = () => {
      if (isWaiting) this.#waiting--;
      isWaiting = false;
    };
    try {
      return await turns.taking(async () => {
        for (;;) {
          try {
            return await this.#connections.taking(() => attempt(hasBegun), over.signal);
          } catch (error) {
            if (!(isWaiting && error instanceof LockTimeoutError)) throw error;
          }
        }
      }, over.signal);
    } finally {
      if (isWaiting) this.#waiting--;
      clearTimeout(timer);
      if (turns.isIdle) this.#workspaces.delete(id);
    }
  }
}
