import type { WriteStream } from 'node:tty';

type TerminalStream = Pick<WriteStream, 'write'> & { isTTY?: boolean; columns?: number };

const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 30;

/** Where people read what goes on: standard error, so that standard output holds results only. */
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

  /** Draws how far something is, on a terminal only and not at every call. `share` is 0 to 1, or null when unknown. */
  progress(share: number | null, text: string): void {
    const now = performance.now();
    if (!this.#out.isTTY || now - this.#drawnAt < DRAW_EVERY_MS) return;
    const full = Math.round((share ?? 0) * BAR_WIDTH);
    const bar = share === null ? '' : `[${'#'.repeat(full)}${'.'.repeat(BAR_WIDTH - full)}] `;
    // A line that wraps could not be drawn over.
    const line = `${bar}${text}`.slice(0, (this.#out.columns ?? 80) - 1);
    this.#out.write(`\r\u001b[K${line}`);
    this.#isDrawn = true;
    this.#drawnAt = now;
  }

  /** Takes the bar away. */
  clear(): void {
    if (this.#isDrawn) this.#out.write('\r\u001b[K');
    this.#isDrawn = false;
    this.#drawnAt = -Infinity;
  }
}
