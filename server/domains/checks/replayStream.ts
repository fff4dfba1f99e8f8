/** One source for many readers, each from the start. `signal` aborts if all leave early. */
export class ReplayStream<Line> {
  readonly #lines: Line[] = [];
  readonly #noReaders = new AbortController();
  /** Aborts when the source has ended: readers needn't be counted any more. */
  readonly #over = new AbortController();
  #readers = 0;
  #end: { error: unknown } | 'complete' | null = null;
  #change = Promise.withResolvers<void>();

  get signal(): AbortSignal {
    return this.#noReaders.signal;
  }

  /** All lines after the end of the source; null before, and after an error. */
  get complete(): readonly Line[] | null {
    return this.#end === 'complete' ? this.#lines : null;
  }

  get hasFailed(): boolean {
    return this.#end !== null && this.#end !== 'complete';
  }

  /** Reads the source to its end. Never rejects: an error is passed to the readers. */
  async fill(source: AsyncIterable<Line>): Promise<void> {
    try {
      for await (const line of source) {
        this.#lines.push(line);
        this.#notify();
      }
      this.#end = 'complete';
    } catch (error) {
      this.#end = { error };
    }
    this.#over.abort();
    this.#notify();
  }

  /** Reads all lines from the start. `signal` aborts when the reader leaves. Throws the error of the source. */
  read(signal: AbortSignal): AsyncGenerator<Line, void, void> {
    this.#readers++;
    if (signal.aborted) this.#leave();
    // The signal of the recheck job outlives the source, and would keep all lines of all checks.
    else signal.addEventListener('abort', () => this.#leave(), { once: true, signal: this.#over.signal });
    return this.#replay(signal);
  }

  async *#replay(signal: AbortSignal): AsyncGenerator<Line, void, void> {
    for (let at = 0; !signal.aborted;) {
      if (at < this.#lines.length) yield this.#lines[at++] as Line;
      else if (this.#end === 'complete') return;
      else if (this.#end !== null) throw this.#end.error;
      else await this.#change.promise;
    }
  }

  #leave(): void {
    this.#readers--;
    if (this.#readers === 0 && this.#end === null) this.#noReaders.abort();
    this.#notify();
  }

  #notify(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }
}
