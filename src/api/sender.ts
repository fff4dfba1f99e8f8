import { ApiError } from './ApiError.ts';
import { delay } from './delay.ts';

const AT_ONCE = 4;
/** Attempts for one request; a 429 does not count. */
const TRIES = 6;
/** After so many errors in a row the service is at fault, not the requests. */
const FAILURES_MAX = 20;
const LONGEST_WAIT_MS = 30_000;
/** After only 429 for so long, the user decides whether to continue. */
const SLOWED_MAX_MS = 5 * 60_000;

/** Too many requests have failed. `cause` is the last error. */
export class SendingStoppedError extends Error {
  override readonly name = 'SendingStoppedError';
}

export async function workThrough<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const queue = items.values();
  const takeItems = async () => {
    for (const item of queue) {
      if (signal.aborted) return;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeItems));
}

/** Retries transient errors; a `Retry-After` of a 429 delays all requests. Rejects with the last error or a `SendingStoppedError`. */
export class Sender {
  readonly #signal: AbortSignal;
  #failuresInARow = 0;
  #resumeAt = 0;
  /** The time of the first 429 since any other response. */
  #slowedSince: number | null = null;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  get waitMs(): number {
    return Math.max(0, this.#resumeAt - Date.now());
  }

  get isFailing(): boolean {
    return this.#failuresInARow > 0;
  }

  async send<Response>(call: () => Promise<Response>): Promise<Response> {
    for (let failures = 0; ;) {
      this.#signal.throwIfAborted();
      while (this.waitMs > 0) await delay(this.waitMs + Math.random() * 100, this.#signal);
      try {
        const response = await call();
        this.#noteWorks();
        return response;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 429) {
          this.#slowDown(error);
          continue;
        }
        this.#noteFailure(error);
        failures += 1;
        if (!error.isTransient || failures === TRIES) throw error;
        const pause = Math.max((error.retryAfter ?? 0) * 1000, 250 * 2 ** failures * (0.5 + Math.random()));
        await delay(Math.min(pause, LONGEST_WAIT_MS), this.#signal);
      }
    }
  }

  #noteWorks(): void {
    this.#failuresInARow = 0;
    this.#slowedSince = null;
  }

  #slowDown(error: ApiError): void {
    const resumeAt = Date.now() + (error.retryAfter ?? 1) * 1000;
    this.#slowedSince ??= Date.now();
    if (resumeAt - this.#slowedSince > SLOWED_MAX_MS) throw new SendingStoppedError(error.message, { cause: error });
    this.#resumeAt = Math.max(this.#resumeAt, resumeAt);
  }

  #noteFailure(error: ApiError): void {
    // The service works, but has no such contact.
    if (error.status === 404) return this.#noteWorks();
    this.#failuresInARow += 1;
    this.#slowedSince = null;
    if (this.#failuresInARow >= FAILURES_MAX) throw new SendingStoppedError(error.message, { cause: error });
  }
}
