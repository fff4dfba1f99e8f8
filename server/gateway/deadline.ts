/** A timeout that can be extended. */
export class Deadline {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Aborts with a `TimeoutError` when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Replaces the timeout. */
  set(milliseconds: number): void {
    this.clear();
    this.#timer = setTimeout(() => this.#controller.abort(new DOMException('', 'TimeoutError')), milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
