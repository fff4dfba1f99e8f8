/**
 * Lets at most `max` of those who wait go on at once: of the groups that wait the one that has the fewest under way, and in
 * a group in their order.
 */
export class Turns {
  readonly #max: number;
  #left: number;
  #waiting: { group: unknown; enter: () => void }[] = [];
  readonly #underWay = new Map<unknown, number>();

  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  get isIdle(): boolean {
    return this.#left === this.#max;
  }

  get underWay(): number {
    return this.#max - this.#left;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  waitingOf(group: unknown): number {
    return this.#waiting.filter((one) => one.group === group).length;
  }

  /** Rejects with the reason of `signal` when that comes before the turn does. */
  async taking<Value>(act: () => Promise<Value>, signal?: AbortSignal, group: unknown = null): Promise<Value> {
    signal?.throwIfAborted();
    if (this.#left === 0) await this.#turn(signal, group);
    else {
      this.#left--;
      this.#count(group, 1);
    }
    try {
      return await act();
    } finally {
      this.#count(group, -1);
      this.#passOn();
    }
  }

  #passOn(): void {
    const next = this.#next();
    if (next === undefined) {
      this.#left++;
      return;
    }
    // Here already, because somebody else may pass on before the next one goes on.
    this.#count(next.group, 1);
    next.enter();
  }

  #count(group: unknown, change: 1 | -1): void {
    const count = (this.#underWay.get(group) ?? 0) + change;
    if (count === 0) this.#underWay.delete(group);
    else this.#underWay.set(group, count);
  }

  #next(): { group: unknown; enter: () => void } | undefined {
    const [next] = this.#waiting.toSorted(
      (one, other) => (this.#underWay.get(one.group) ?? 0) - (this.#underWay.get(other.group) ?? 0),
    );
    this.#waiting = this.#waiting.filter((one) => one !== next);
    return next;
  }

  #turn(signal: AbortSignal | undefined, group: unknown): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other.enter !== enter);
        reject(signal?.reason as Error);
      };
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push({ group, enter });
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
