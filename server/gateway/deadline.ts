/** A time limit that can move. */
export class Deadline {
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  /** Aborts with a `TimeoutError` when the time is over. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time is over in so many milliseconds, whatever was said before. */
  set(milliseconds: number): void {
    this.clear();
    this.#timer = setTimeout(() => this.#controller.abort(new DOMException('', 'TimeoutError')), milliseconds);
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
