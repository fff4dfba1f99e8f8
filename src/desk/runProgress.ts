export type DeskProgress = {
  done: number;
  total: number;
  /** Entries per second, over the last seconds. */
  rate: number;
  /** Milliseconds until requests are sent again, after the service asked to wait. */
  waitMs: number;
  /** Whether the last request failed. */
  isFailing: boolean;
};

/** Milliseconds over which the rate is measured. */
const RATE_WINDOW = 8000;

/** Counts the entries that a run has done, and how fast. */
export class RunProgress {
  readonly #total: number;
  readonly #sender: { readonly waitMs: number; readonly isFailing: boolean };
  #done = 0;
  /** Milliseconds since the epoch. */
  #endTimes: number[] = [];

  constructor(total: number, sender: { readonly waitMs: number; readonly isFailing: boolean }) {
    this.#total = total;
    this.#sender = sender;
  }

  countEntry(): void {
    this.#done += 1;
    this.#endTimes.push(Date.now());
  }

  read(): DeskProgress {
    const since = Date.now() - RATE_WINDOW;
    this.#endTimes = this.#endTimes.filter((time) => time > since);
    const first = this.#endTimes[0] ?? Date.now();
    const seconds = Math.max(1, (Date.now() - first) / 1000);
    return {
      done: this.#done,
      total: this.#total,
      rate: this.#endTimes.length / seconds,
      waitMs: this.#sender.waitMs,
      isFailing: this.#sender.isFailing,
    };
  }
}
