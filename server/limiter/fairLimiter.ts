type QueuedCall = { group: unknown; start: () => void };

/**
 * Limits how many calls are in flight. Next is one of the group with the fewest in flight, of several such groups not the one that began last, in a
 * group the first.
 */
export class FairLimiter {
  readonly #max: number;
  #queued: QueuedCall[] = [];
  /** The group of each call in flight. */
  readonly #groups: unknown[] = [];
  /** The group of the call that began last. */
  #last: unknown = null;

  constructor(max: number) {
    this.#max = max;
  }

  get inFlight(): number {
    return this.#groups.length;
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

  /** Rejects with the reason of `signal` when that aborts before `call` has begun; afterwards `call` goes on. */
  run<Result>(call: () => Promise<Result>, signal?: AbortSignal, group: unknown = null): Promise<Result> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const start = () => {
        signal?.removeEventListener('abort', leave);
        resolve(this.#start(call, group));
      };
      const leave = () => {
        this.#queued = this.#queued.filter((queued) => queued.start !== start);
        reject(signal?.reason as Error);
      };
      if (this.inFlight < this.#max) return start();
      signal?.addEventListener('abort', leave, { once: true });
      this.#queued.push({ group, start });
    });
  }

  async #start<Result>(call: () => Promise<Result>, group: unknown): Promise<Result> {
    this.#groups.push(group);
    this.#last = group;
    try {
      return await call();
    } finally {
      this.#groups.splice(this.#groups.indexOf(group), 1);
      this.#startNext();
    }
  }

  #startNext(): void {
    const inFlight = Map.groupBy(this.#groups, (each) => each);
    const countOf = (queued: QueuedCall) => inFlight.get(queued.group)?.length ?? 0;
    const isLast = (queued: QueuedCall) => Number(queued.group === this.#last);
    const [next] = this.#queued.toSorted((one, other) => countOf(one) - countOf(other) || isLast(one) - isLast(other));
    if (next === undefined) return;
    this.#queued.splice(this.#queued.indexOf(next), 1);
    next.start();
  }
}
