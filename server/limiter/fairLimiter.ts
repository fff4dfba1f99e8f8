type QueuedCall = { group: unknown; start: () => void };

/** Milliseconds that a call may wait beyond `limitMs`: those before it may need them to end, on a busy machine too. */
const END_MS = 2_500;

export type FairLimits = {
  /** Calls in flight. */
  max: number;
  /** The same for one group. */
  maxPerGroup?: number;
  /**
   * Milliseconds for a call from when it begins. A call that waits longer is rejected with the error of `timeout`, and the signal of one that
   * runs longer is aborted with it.
   */
  limitMs?: number;
  timeout?: () => Error;
};

/**
 * Limits how many calls are in flight. Next is one of the group with the fewest in flight; of several such groups not the one that began
 * last; of a group the first.
 */
export class FairLimiter {
  readonly #limits: FairLimits;
  readonly #queued: QueuedCall[] = [];
  readonly #inFlight = new Map<unknown, number>();
  #inFlightCount = 0;
  #last: unknown = null;
  #idle = Promise.withResolvers<void>();

  constructor(limits: FairLimits) {
    this.#limits = limits;
  }

  get inFlight(): number {
    return this.#inFlightCount;
  }

  get waiting(): number {
    return this.#queued.length;
  }

  get isIdle(): boolean {
    return this.inFlight + this.waiting === 0;
  }

  waitingOf(group: unknown): number {
    return this.#queued.filter((queued) => queued.group === group).length;
  }

  /** Waits for all calls. */
  async drain(): Promise<void> {
    if (!this.isIdle) await this.#idle.promise;
  }

  /** Rejects with the reason of `signal` if that aborts before `call` has begun; afterwards `call` goes on. */
  async run<Result>(
    call: (timeout: AbortSignal | undefined) => Promise<Result>,
    signal?: AbortSignal,
    group: unknown = null,
  ): Promise<Result> {
    const { limitMs, timeout } = this.#limits;
    if (limitMs === undefined || timeout === undefined) return this.#runInTurn(() => call(undefined), signal, group);
    const controller = new AbortController();
    const end = () => controller.abort(timeout());
    let timer = setTimeout(end, limitMs + END_MS);
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(end, limitMs);
      return call(controller.signal);
    };
    const ends = signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
    return this.#runInTurn(begin, ends, group).finally(() => clearTimeout(timer));
  }

  #runInTurn<Result>(call: () => Promise<Result>, signal: AbortSignal | undefined, group: unknown): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve(this.#start(call, group));
      };
      const queued = { group, start };
      const leave = () => {
        this.#queued.splice(this.#queued.indexOf(queued), 1);
        reject(signal?.reason as Error);
      };
      if (this.#hasRoom(group)) return start();
      signal?.addEventListener('abort', leave, { once: true });
      this.#queued.push(queued);
    });
  }

  #hasRoom(group: unknown): boolean {
    const { max, maxPerGroup = Infinity } = this.#limits;
    return this.#inFlightCount < max && this.#countOf(group) < maxPerGroup;
  }

  #countOf(group: unknown): number {
    return this.#inFlight.get(group) ?? 0;
  }

  async #start<Result>(call: () => Promise<Result>, group: unknown): Promise<Result> {
    this.#inFlight.set(group, this.#countOf(group) + 1);
    this.#inFlightCount++;
    this.#last = group;
    try {
      return await call();
    } finally {
      this.#inFlightCount--;
      if (this.#countOf(group) === 1) this.#inFlight.delete(group);
      else this.#inFlight.set(group, this.#countOf(group) - 1);
      this.#startNext();
    }
  }

  #startNext(): void {
    let next: QueuedCall | undefined;
    const rank = ({ group }: QueuedCall) => this.#countOf(group) + (group === this.#last ? 0.5 : 0);
    for (const queued of this.#queued) {
      if (this.#hasRoom(queued.group) && (next === undefined || rank(queued) < rank(next))) next = queued;
    }
    if (next !== undefined) {
      this.#queued.splice(this.#queued.indexOf(next), 1);
      next.start();
    } else if (this.isIdle) {
      this.#idle.resolve();
      this.#idle = Promise.withResolvers();
    }
  }
}
