import type { WriteStream } from 'node:tty';

/** An error of the user or the environment. The message is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

type TerminalStream = Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 30;

/** Shows messages and progress on standard error, so that standard output contains only results. */
export class Terminal {
  readonly #out: TerminalStream;
  #isDrawn = false;
  #drawnAt = -Infinity;

  constructor(out: TerminalStream) {
    this.#out = out;
  }

  say(line: string): void {
    this.clear();
    this.#out.write(`${line}\n`);
  }

  /** On a terminal only, at most every 100 ms. `share` is from 0 to 1; null when it is not known. */
  progress(share: number | null, text: string): void {
    const now = performance.now();
    if (!this.#out.isTTY || now - this.#drawnAt < DRAW_EVERY_MS) return;
    const full = Math.round((share ?? 0) * BAR_WIDTH);
    const bar = share === null ? '' : `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] `;
    // A wrapped line could not be overwritten. Some terminals, such as that of a container, say that they have no columns.
    const line = `${bar}${text}`.slice(0, (this.#out.columns || 80) - 1);
    this.#out.write(`\r\u001b[K${line}`);
    this.#isDrawn = true;
    this.#drawnAt = now;
  }

  clear(): void {
    if (this.#isDrawn) this.#out.write('\r\u001b[K');
    this.#isDrawn = false;
    this.#drawnAt = -Infinity;
  }
}
