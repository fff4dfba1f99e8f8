import { setImmediate } from 'node:timers/promises';
import { must } from '#contract/values/must.ts';
import { FairLimiter } from '../limiter/fairLimiter.ts';
import type { Transaction, WriteOptions } from './database.ts';
import { DatabaseBusyError, LockTimeoutError } from './databaseErrors.ts';
import type { WorkspaceId } from './schema/tables.ts';
import type { Workspace } from './workspace.ts';

/** The first write of a group waits for the last. */
const GROUP_MAX = 32;

/** `workspace` is null for a write across workspaces, which is never grouped. */
export type QueuedWrite = WriteOptions & {
  workspace: Workspace | null;
  work: (trx: Transaction) => Promise<unknown>;
};

/**
 * Runs `writes` in one transaction, and resolves with their outcomes when it's committed. One that throws leaves nothing behind.
 * Rejects if nothing was written, with a `LockTimeoutError` after at most `leftMs`.
 */
export type RunGroup = (
  writes: readonly [QueuedWrite, ...QueuedWrite[]],
  onBegun: () => void,
  leftMs: number,
) => Promise<PromiseSettledResult<unknown>[]>;

type WaitingWrite = QueuedWrite & {
  /** By `performance.now()`. */
  end: number;
  isRunning: boolean;
  settle: (outcome: PromiseSettledResult<unknown>) => void;
};

const isAlone = ({ workspace, isBulk = false }: QueuedWrite) => workspace === null || isBulk;

type WriteQueueOptions = {
  /** Groups at once. */
  max: number;
  /** Milliseconds until a write that has not begun fails with `DatabaseBusyError`. */
  waitMs: number;
  runGroup: RunGroup;
};

/**
 * Queues the writes of one process. Those of one workspace run one after the other, and those that wait are committed together.
 * A waiting write holds no connection, so that one workspace never blocks another.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  readonly #limiter: FairLimiter;
  readonly #waiting = new Map<WorkspaceId | null, WaitingWrite[]>();
  readonly #running = new Map<WorkspaceId | null, Promise<void>>();

  constructor(options: WriteQueueOptions) {
    this.#options = options;
    this.#limiter = new FairLimiter(options);
  }

  /** Groups that run. */
  get inFlight(): number {
    return this.#limiter.inFlight;
  }

  /** Writes that have not begun. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  run<Result>(write: QueuedWrite): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const { waitMs } = this.#options;
    const id = write.workspace?.id ?? null;
    const waiting = this.#waiting.getOrInsertComputed(id, () => []);
    const timer = setTimeout(() => {
      if (queued.isRunning) return;
      waiting.splice(waiting.indexOf(queued), 1);
      reject(new DatabaseBusyError(null));
    }, waitMs);
    const queued: WaitingWrite = {
      ...write,
      end: performance.now() + waitMs,
      isRunning: false,
      settle(outcome) {
        clearTimeout(timer);
        if (outcome.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome.reason);
      },
    };
    waiting.push(queued);
    if (!this.#running.has(id)) this.#running.set(id, this.#runAll(id, waiting));
    return promise as Promise<Result>;
  }

  /** Waits for all writes. */
  async drain(): Promise<void> {
    await Promise.all(this.#running.values());
  }

  async #runAll(id: WorkspaceId | null, waiting: WaitingWrite[]): Promise<void> {
    while (waiting.length > 0) {
      await this.#limiter.run(() => this.#runNext(waiting), undefined, id);
      // Writes that have arrived meanwhile join the next group.
      if (waiting.length > 0) await setImmediate();
    }
    this.#waiting.delete(id);
    this.#running.delete(id);
  }

  async #runNext(waiting: WaitingWrite[]): Promise<void> {
    const end = waiting.slice(0, GROUP_MAX).findIndex(isAlone);
    const group = waiting.splice(0, end === -1 ? GROUP_MAX : Math.max(end, 1));
    const [first, ...others] = group;
    if (first === undefined) return;
    for (const write of group) write.isRunning = true;
    let hasBegun = false;
    try {
      // 0 would be no limit.
      const leftMs = Math.max(1, Math.ceil(first.end - performance.now()));
      const outcomes = await this.#options.runGroup([first, ...others], () => (hasBegun = true), leftMs);
      for (const [index, write] of group.entries()) write.settle(must(outcomes[index]));
    } catch (error) {
      const isLocked = !hasBegun && error instanceof LockTimeoutError;
      const again = isLocked ? group.filter(({ end }) => end > performance.now()) : [];
      for (const write of again) write.isRunning = false;
      waiting.unshift(...again);
      for (const write of group) if (write.isRunning) write.settle({ status: 'rejected', reason: error });
    }
  }
}
