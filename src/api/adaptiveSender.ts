import pLimit from 'p-limit';
import { ApiError } from './ApiError.ts';
import { delay } from './delay.ts';

/** The most requests in flight. */
const AT_ONCE = 4;
/** Attempts for one request in all; a 429 does not count. */
const TRIES = 6;
/** After so many errors in a row the cause is taken to be the service, not the request. */
const FAILURES_MAX = 20;
const LONGEST_WAIT_MS = 30_000;
/** After nothing but 429 for so long, the user decides whether to go on. */
const SLOWED_MAX_MS = 5 * 60_000;

/** Too many requests have failed, so nothing more is sent. `cause` is the last error. */
export class SendingStoppedError extends Error {
  override readonly name = 'SendingStoppedError';
}

/**
 * Sends idempotent requests. At most four are in flight, fewer after a 429 (additive increase, multiplicative
 * decrease); a `Retry-After` holds for all of them. Transient errors are retried after a growing, random delay.
 */
export class AdaptiveSender {
  /** Its concurrency is the whole part of `#limit`. */
  readonly #queue = pLimit(AT_ONCE);
  #limit = AT_ONCE;
  #consecutiveErrors = 0;
  #resumeAt = 0;
  /** The time of the first 429 since any other response; null after one. */
  #slowedSince: number | null = null;

  /** Milliseconds until requests are sent again after a `Retry-After`; else 0. */
  get waitMs(): number {
    return Math.max(0, this.#resumeAt - Date.now());
  }

  /** Whether the last request failed. */
  get isFailing(): boolean {
    return this.#consecutiveErrors > 0;
  }

  /** Rejects with the last error of `call`, with a `SendingStoppedError`, or with the reason of `signal`. */
  async send<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    let failures = 0;
    const attempt = async () => {
      signal.throwIfAborted();
      while (this.waitMs > 0) await delay(this.waitMs + Math.random() * 100, signal);
      try {
        const answer = await call();
        this.#succeeded();
        return { answer };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 429) return this.#slowDown(error);
        this.#failed(error);
        failures += 1;
        if (!error.isTransient || failures === TRIES) throw error;
        const pause = Math.max((error.retryAfter ?? 0) * 1000, 250 * 2 ** failures * (0.5 + Math.random()));
        return delay(Math.min(pause, LONGEST_WAIT_MS), signal);
      }
    };
    for (;;) {
      const ended = await this.#queue(attempt);
      if (ended) return ended.answer;
    }
  }

  #succeeded(): void {
    this.#consecutiveErrors = 0;
    this.#slowedSince = null;
    this.#limit = Math.min(AT_ONCE, this.#limit + 0.1);
    this.#queue.concurrency = Math.floor(this.#limit);
  }

  #slowDown(error: ApiError): void {
    this.#limit = Math.max(1, this.#limit / 2);
    this.#queue.concurrency = Math.floor(this.#limit);
    const resumeAt = Date.now() + (error.retryAfter ?? 1) * 1000;
    this.#slowedSince ??= Date.now();
    if (resumeAt - this.#slowedSince > SLOWED_MAX_MS) throw new SendingStoppedError(error.message, { cause: error });
    this.#resumeAt = Math.max(this.#resumeAt, resumeAt);
  }

  #failed(error: ApiError): void {
    // The service works: it does not know the contact.
    if (error.status === 404) return this.#succeeded();
    this.#consecutiveErrors += 1;
    this.#slowedSince = null;
    if (this.#consecutiveErrors >= FAILURES_MAX) throw new SendingStoppedError(error.message, { cause: error });
  }
}
