/** Lets at most `max` of those who wait go on at once, in their order. */
export class Turns {
  readonly #max: number;
  #left: number;
  readonly #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
    this.#left = max;
  }

  get isIdle(): boolean {
    return this.#left === this.#max;
  }

  async taking<Value>(act: () => Promise<Value>): Promise<Value> {
    if (this.#left > 0) this.#left--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#left++;
      else next();
    }
  }
}
