import { ApiError } from './ApiError.ts';

const AT_ONCE = 4;
/** A call is tried so often in all; being asked to slow down is no try. */
const TRIES = 6;
/** So many failed calls in a row mean that the service, not the call, is at fault. */
const FAILURES_MAX = 20;
const LONGEST_WAIT_MS = 30_000;
/** Asked to slow down for so long, without an answer in between, whether to go on is a person's decision. */
const SLOWED_MAX_MS = 5 * 60_000;

/** Going on would be of no use: nothing more is sent. `cause` is the last failure. */
export class SendingStoppedError extends Error {
  override readonly name = 'SendingStoppedError';
}

/**
 * Sends calls that may safely be sent twice: four at a time, and fewer when the service asks to slow down (additive
 * increase, multiplicative decrease; `Retry-After` is obeyed by all). Failures that may pass are tried again after a
 * growing, random pause.
 */
export class AdaptiveSender {
  #limit = AT_ONCE;
  #inFlight = 0;
  #consecutiveErrors = 0;
  #resumeAt = 0;
  /** Since when all that came was to slow down; null after any answer. */
  #slowedSince: number | null = null;
  #waiting: (() => void)[] = [];

  /** Milliseconds until calls go out again, when the service asked to wait. */
  get waitMs(): number {
    return Math.max(0, this.#resumeAt - Date.now());
  }

  /** Whether the last call failed. */
  get isFailing(): boolean {
    return this.#consecutiveErrors > 0;
  }

  /** Rejects with what `call` failed with in the end, with `SendingStoppedError`, or with the reason of `signal`. */
  async send<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (let failures = 0; ;) {
      await this.#turn(signal);
      try {
        const answer = await call();
        this.#went();
        return answer;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 429) {
          this.#slowDown(error);
          continue;
        }
        this.#failed(error);
        failures += 1;
        if (!error.isTransient || failures === TRIES) throw error;
        const pause = Math.max((error.retryAfter ?? 0) * 1000, 250 * 2 ** failures * (0.5 + Math.random()));
        await delay(Math.min(pause, LONGEST_WAIT_MS), signal);
      } finally {
        this.#release();
      }
    }
  }

  /** Waits until another call may go out. */
  async #turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      if (this.waitMs > 0) await delay(this.waitMs + Math.random() * 100, signal);
      else if (this.#inFlight >= Math.floor(this.#limit)) await new Promise<void>((go) => this.#waiting.push(go));
      else break;
    }
    this.#inFlight += 1;
  }

  #release(): void {
    this.#inFlight -= 1;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }

  #went(): void {
    this.#consecutiveErrors = 0;
    this.#slowedSince = null;
    this.#limit = Math.min(AT_ONCE, this.#limit + 0.1);
  }

  #slowDown(error: ApiError): void {
    this.#limit = Math.max(1, this.#limit / 2);
    const resumeAt = Date.now() + (error.retryAfter ?? 1) * 1000;
    this.#slowedSince ??= Date.now();
    if (resumeAt - this.#slowedSince > SLOWED_MAX_MS) throw new SendingStoppedError(error.message, { cause: error });
    this.#resumeAt = Math.max(this.#resumeAt, resumeAt);
  }

  #failed(error: ApiError): void {
    // Not to know a contact is an answer like any other.
    if (error.status === 404) return this.#went();
    this.#consecutiveErrors += 1;
    this.#slowedSince = null;
    if (this.#consecutiveErrors >= FAILURES_MAX) throw new SendingStoppedError(error.message, { cause: error });
  }
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const end = () => reject(signal.reason as Error);
  const timer = setTimeout(() => {
    signal.removeEventListener('abort', end);
    resolve();
  }, milliseconds);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  signal.addEventListener('abort', end, { once: true });
  return promise;
}
