import { Turns } from '../limiter/turns.ts';
import { ReadTimeoutError } from './databaseErrors.ts';
import type { WorkspaceId } from './tables.ts';

/** Milliseconds that a read of a service may take, from when it is asked for. */
export const READ_LIMIT_MS = 5_000;

type ReadLimits = {
  /** Reads that go on at once. */
  max: number;
  /** Of these of one workspace: so that there is always room for another one. */
  maxPerWorkspace: number;
};

/** The reads that wait: first those of the workspace that has the fewest under way, and of a workspace in their order. */
export class ReadLimiter {
  readonly #ofOne: number;
  readonly #all: Turns;
  readonly #workspaces = new Map<WorkspaceId | null, Turns>();
  #waiting = 0;

  constructor({ max, maxPerWorkspace }: ReadLimits) {
    this.#ofOne = maxPerWorkspace;
    this.#all = new Turns(max);
  }

  /** Reads whose turn has not come. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Throws `ReadTimeoutError` when the turn has not come in time; what has begun is told by the signal, with the same reason. */
  async run<Value>(id: WorkspaceId | null, act: (over: AbortSignal) => Promise<Value>): Promise<Value> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(new ReadTimeoutError(null)), READ_LIMIT_MS);
    const turns = this.#workspaces.getOrInsertComputed(id, () => new Turns(this.#ofOne));
    let isWaiting = true;
    this.#waiting++;
    const begin = () => {
      isWaiting = false;
      this.#waiting--;
      return act(over.signal);
    };
    try {
      return await turns.taking(() => this.#all.taking(begin, over.signal, id), over.signal);
    } finally {
      if (isWaiting) this.#waiting--;
      clearTimeout(timer);
      if (turns.isIdle) this.#workspaces.delete(id);
    }
  }
}
