/**
 * What one source gives, for any number of readers, each from its beginning. Nothing is asked of the source for nobody:
 * when the last reader has gone before it has ended, `signal` tells it so.
 */
export class ReplayStream<Line> {
  readonly #lines: Line[] = [];
  readonly #nobody = new AbortController();
  #readers = 0;
  #end: { error: unknown } | 'complete' | null = null;
  #news = Promise.withResolvers<void>();

  get signal(): AbortSignal {
    return this.#nobody.signal;
  }

  /** The lines when all are there; null before, and when the source failed. */
  get complete(): readonly Line[] | null {
    return this.#end === 'complete' ? this.#lines : null;
  }

  get hasFailed(): boolean {
    return this.#end !== null && this.#end !== 'complete';
  }

  /** Takes everything from `source`. Its failure is for the readers, so that this does not fail. */
  async fill(source: AsyncIterable<Line>): Promise<void> {
    try {
      for await (const line of source) {
        this.#lines.push(line);
        this.#tell();
      }
      this.#end = 'complete';
    } catch (error) {
      this.#end = { error };
    }
    this.#tell();
  }

  /** Reads until the end, or until `signal` says that the reader has gone. Fails as the source does. */
  read(signal: AbortSignal): AsyncGenerator<Line, void, void> {
    this.#readers++;
    if (signal.aborted) this.#leave();
    else signal.addEventListener('abort', () => this.#leave(), { once: true });
    return this.#replay(signal);
  }

  async *#replay(signal: AbortSignal): AsyncGenerator<Line, void, void> {
    for (let at = 0; !signal.aborted;) {
      if (at < this.#lines.length) yield this.#lines[at++] as Line;
      else if (this.#end === 'complete') return;
      else if (this.#end !== null) throw this.#end.error;
      else await this.#news.promise;
    }
  }

  #leave(): void {
    this.#readers--;
    if (this.#readers === 0 && this.#end === null) this.#nobody.abort();
    this.#tell();
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}
