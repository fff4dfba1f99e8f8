/** Lets at most `max` of those who wait go on at once, in their order. */
export class Turns {
  readonly #max: number;
  #left: number;
  #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  get isIdle(): boolean {
    return this.#left === this.#max;
  }

  /** Rejects with the reason of `signal` when that comes before the turn does. */
  async taking<Value>(act: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    signal?.throwIfAborted();
    if (this.#left > 0) this.#left--;
    else await this.#turn(signal);
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#left++;
      else next();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((other) => other !== enter);
        reject(signal?.reason as Error);
      };
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      this.#waiting.push(enter);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
