import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { setTimeout as delay } from 'node:timers/promises';
import { callbackify } from 'node:util';
import type { RateLimitLease, LeaseRateLimit } from '../database/rateLimitLeases.ts';
import type { Log } from '../settings/log.ts';

/** How many keys are remembered; whoever is forgotten loses what was left of its allowance. */
const KEYS_MAX = 10_000;
/** The first allowance is this part of a limit; each one after it is as much as was used before. */
const FIRST_LEASE_DIVISOR = 100;
/** Milliseconds after which the database does not answer. */
const DATABASE_TIMEOUT_MS = 1000;

type RateLimitWindow = {
  /** By `performance.now()`. */
  ends: number;
  left: number;
  used: number;
  /** Whether nothing more can be had before it ends. */
  isLast: boolean;
  taking: Promise<void> | null;
};

/**
 * Counts requests of several processes together: this one takes an allowance from the database and counts it down in memory. While the
 * database does not answer, it counts by itself: each process then lets at most a whole limit through, and the log says so. Without
 * `take` there is one process only. A clock that is set changes nothing.
 */
export function createRateLimitStore(lease: LeaseRateLimit | null, log: Log): FastifyRateLimitStoreCtor {
  const windows = new Map<string, RateLimitWindow>();
  let isLocalOnly = false;

  function open(key: string): RateLimitWindow {
    windows.delete(key);
    const [oldest] = windows.keys();
    if (oldest !== undefined && windows.size >= KEYS_MAX) windows.delete(oldest);
    const window = { ends: Infinity, left: 0, used: 0, isLast: false, taking: null };
    windows.set(key, window);
    return window;
  }

  async function refill(window: RateLimitWindow, key: string, length: number, limit: number): Promise<void> {
    // Before the question, so that it ends here no later than there.
    const start = performance.now();
    const byItself = () =>
      Object.assign(window, { ends: Math.min(window.ends, start + length), left: limit - window.used, isLast: true });
    if (lease === null) return void byItself();
    const wanted = Math.max(window.used, Math.ceil(limit / FIRST_LEASE_DIVISOR));
    try {
      const { granted, endsIn } = await withTimeout(lease({ key, limit, windowMs: length, requested: wanted }));
      Object.assign(window, { ends: start + endsIn, left: granted, isLast: granted === 0 });
      isLocalOnly = false;
    } catch (error) {
      if (!isLocalOnly) log.warn({ err: error }, 'requests are counted by this process alone');
      isLocalOnly = true;
      byItself();
    }
  }

  async function count(key: string, length: number, limit: number): Promise<{ current: number; ttl: number }> {
    for (;;) {
      const known = windows.get(key);
      const isOpen = known !== undefined && (known.taking !== null || performance.now() < known.ends);
      const window = isOpen ? known : open(key);
      const ttl = window.ends - performance.now();
      if (window.left > 0) {
        window.left--;
        window.used++;
        return { current: Math.min(window.used, limit), ttl };
      }
      if (window.isLast) return { current: limit + 1, ttl };
      window.taking ??= refill(window, key, length, limit).finally(() => (window.taking = null));
      await window.taking;
    }
  }

  const counted = callbackify(count);
  return class AllowanceStore implements FastifyRateLimitStore {
    incr: FastifyRateLimitStore['incr'] = (key, done, length, limit) => counted(key, length, limit, done);
    child(): FastifyRateLimitStore {
      // Keys of different limits differ.
      return this;
    }
  };
}

function withTimeout(answer: Promise<RateLimitLease>): Promise<RateLimitLease> {
  const late = delay(DATABASE_TIMEOUT_MS, null, { ref: false }).then(() => {
    throw new Error('The database did not answer in time.');
  });
  return Promise.race([answer, late]);
}
