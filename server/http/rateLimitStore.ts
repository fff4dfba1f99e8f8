import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { callbackify } from 'node:util';
import type { LeaseRateLimit } from '../database/rateLimitLeases.ts';
import { withTimeout } from './withTimeout.ts';
import type { Log } from '../settings/log.ts';

/** 25 MB. Beyond it the one that ends next is forgotten, with the rest of its lease. */
const WINDOWS_MAX = 100_000;
/** The first lease of a window is the limit divided by this. Each further lease is as large as what was used before. */
const FIRST_LEASE_DIVISOR = 100;
const DATABASE_TIMEOUT_MS = 1000;

type RateLimitWindow = {
  /** By `performance.now()`. */
  endsAt: number;
  left: number;
  used: number;
  /** Whether there is no further lease before it ends. */
  isLast: boolean;
  refilling: Promise<void> | null;
};

type Count = {
  current: number;
  ttl: number;
};

export function createRateLimitStore(lease: LeaseRateLimit | null, log: Log): FastifyRateLimitStoreCtor {
  const counter = new RequestCounter(lease, log);
  const count = callbackify((key: string, windowMs: number, limit: number) => counter.count(key, windowMs, limit));
  return class RateLimitStore implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, done, windowMs, limit) => count(key, windowMs, limit, done);
    child(): FastifyRateLimitStore {
      // One store for all limits, because their keys differ.
      return this;
    }
  };
}

/** While the database does not answer, each process counts alone, up to a whole limit. Only monotonic clocks. */
class RequestCounter {
  readonly #lease: LeaseRateLimit | null;
  readonly #log: Log;
  /** In the order in which they began, and so end. */
  readonly #windows = new Map<string, RateLimitWindow>();
  #isLocalOnly = false;

  constructor(lease: LeaseRateLimit | null, log: Log) {
    this.#lease = lease;
    this.#log = log;
  }

  async count(key: string, windowMs: number, limit: number): Promise<Count> {
    for (;;) {
      const current = this.#windows.get(key);
      const isOpen = current !== undefined && (current.refilling !== null || performance.now() < current.endsAt);
      const window = isOpen ? current : this.#open(key);
      const ttl = window.endsAt - performance.now();
      if (window.left > 0) {
        window.left--;
        window.used++;
        return { current: Math.min(window.used, limit), ttl };
      }
      if (window.isLast) return { current: limit + 1, ttl };
      window.refilling ??= this.#refill(window, key, windowMs, limit).finally(() => (window.refilling = null));
      await window.refilling;
    }
  }

  #open(key: string): RateLimitWindow {
    this.#windows.delete(key);
    for (const [other, { endsAt }] of this.#windows) {
      if (performance.now() < endsAt && this.#windows.size < WINDOWS_MAX) break;
      this.#windows.delete(other);
    }
    const window = { endsAt: Infinity, left: 0, used: 0, isLast: false, refilling: null };
    this.#windows.set(key, window);
    return window;
  }

  async #refill(window: RateLimitWindow, key: string, windowMs: number, limit: number): Promise<void> {
    // Taken before the request, so that the window ends here no later than in the database.
    const start = performance.now();
    if (this.#lease === null) return fillWithLimit(window, start + windowMs, limit);
    const requested = Math.max(window.used, Math.ceil(limit / FIRST_LEASE_DIVISOR));
    try {
      const { granted, endsIn } = await withTimeout(
        this.#lease({ key, limit, windowMs, requested }),
        DATABASE_TIMEOUT_MS,
        () => new Error('The database did not answer in time.'),
      );
      Object.assign(window, { endsAt: start + endsIn, left: granted, isLast: granted === 0 });
      this.#isLocalOnly = false;
    } catch (error) {
      if (!this.#isLocalOnly) this.#log.warn({ err: error }, 'requests are counted by this process alone');
      this.#isLocalOnly = true;
      fillWithLimit(window, start + windowMs, limit);
    }
  }
}

/** Counts without leases: the whole limit, less what was used. */
function fillWithLimit(window: RateLimitWindow, endsAt: number, limit: number): void {
  Object.assign(window, { endsAt: Math.min(window.endsAt, endsAt), left: limit - window.used, isLast: true });
}
