import { LRUCache } from 'lru-cache';
import { ProblemError } from '../http/problems.ts';

const WINDOW_MS = 60_000;
/** Failed and running attempts of an address in a minute. */
const PER_ADDRESS_MAX = 60;
/** Running attempts of all addresses: each may have a connection to the provider. */
const UNDER_WAY_MAX = 200;
const ADDRESSES_MAX = 10_000;

type Window = { failed: number; underWay: number; endsAt: number };

export class Attempts {
  readonly #windows = new LRUCache<string, Window>({ max: ADDRESSES_MAX });
  #underWay = 0;

  async run<Result>(
    address: string,
    isFailure: (error: unknown) => boolean,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const window = this.#windowOf(address);
    if (window.failed + window.underWay >= PER_ADDRESS_MAX || this.#underWay >= UNDER_WAY_MAX) {
      const seconds = Math.max(1, Math.ceil((window.endsAt - performance.now()) / 1000));
      throw new ProblemError(429, `Too many requests. Try again in ${seconds} seconds.`, {
        headers: { 'retry-after': String(seconds) },
        limit: 'authentications',
      });
    }
    window.underWay++;
    this.#underWay++;
    try {
      return await work();
    } catch (error) {
      if (isFailure(error)) window.failed++;
      throw error;
    } finally {
      window.underWay--;
      this.#underWay--;
    }
  }

  #windowOf(address: string): Window {
    const now = performance.now();
    const window = this.#windows.get(address) ?? { failed: 0, underWay: 0, endsAt: 0 };
    if (now >= window.endsAt) {
      window.failed = 0;
      window.endsAt = now + WINDOW_MS;
    }
    this.#windows.set(address, window);
    return window;
  }
}
