import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { must } from '#contract/values/must.ts';
import { toClientKey } from '../http/address.ts';
import { ProblemError } from '../http/problems.ts';
import { createProxyTest } from '../settings/settings.ts';

/** Milliseconds, and the tokens that the service may reject for an address in that time: it sees only the address of the gateway. */
const WINDOW = 60_000;
const REFUSED_MAX = 60;
const TOKENS_MAX = 10_000;
const ADDRESSES_MAX = 10_000;

/** This machine, which many clients share as they share a proxy. */
const isThisMachine = createProxyTest([]);

type AddressAttempts = {
  refused: number;
  ends: number;
  inFlight: number;
  responded: PromiseWithResolvers<void>;
};

/** For each address, as many are in flight as may still be rejected, and the others wait for the responses. */
export class UnverifiedTokenLimiter {
  readonly #acceptedDigests = new LRUCache<string, true>({ max: TOKENS_MAX });
  readonly #addresses = new Map<string, AddressAttempts>();

  async forward(
    { bearer, address, signal }: { bearer: string; address: string; signal: AbortSignal },
    send: () => Promise<Response>,
  ): Promise<Response> {
    const digest = hash('sha256', bearer);
    const attempts = this.#acceptedDigests.has(digest) ? null : await this.#acquire(address, signal);
    let status = 0;
    try {
      const response = await send();
      ({ status } = response);
      return response;
    } finally {
      if (attempts !== null) this.#release(attempts, status === 401);
      if (status === 401) this.#acceptedDigests.delete(digest);
      else if (status >= 200 && status < 300) this.#acceptedDigests.set(digest, true);
    }
  }

  async #acquire(ip: string, signal: AbortSignal): Promise<AddressAttempts> {
    let aborted: Promise<unknown> | null = null;
    for (;;) {
      signal.throwIfAborted();
      const address = this.#findAddress(ip);
      const now = performance.now();
      if (address.ends <= now) address.refused = 0;
      if (address.refused >= REFUSED_MAX) throw tooManyRejectedTokensProblem(Math.ceil((address.ends - now) / 1000));
      if (address.refused + address.inFlight < REFUSED_MAX) {
        address.inFlight++;
        return address;
      }
      aborted ??= once(signal, 'abort');
      await Promise.race([address.responded.promise, aborted]);
    }
  }

  #release(address: AddressAttempts, isRefused: boolean): void {
    address.inFlight--;
    if (isRefused) {
      if (address.refused === 0) address.ends = performance.now() + WINDOW;
      address.refused++;
    }
    address.responded.resolve();
    address.responded = Promise.withResolvers();
  }

  #findAddress(ip: string): AddressAttempts {
    // A proxy may send anything as an address.
    const key = isIP(ip) === 0 ? ip : (toClientKey(ip, isThisMachine) ?? ip);
    const existing = this.#addresses.get(key);
    if (existing !== undefined) return existing;
    if (this.#addresses.size >= ADDRESSES_MAX) this.#forgetAddresses();
    const address = { refused: 0, ends: 0, inFlight: 0, responded: Promise.withResolvers<void>() };
    this.#addresses.set(key, address);
    return address;
  }

  #forgetAddresses(): void {
    const now = performance.now();
    for (const [key, { inFlight, ends }] of this.#addresses)
      if (inFlight === 0 && ends <= now) this.#addresses.delete(key);
    if (this.#addresses.size < ADDRESSES_MAX) return;
    const [oldest] = this.#addresses.keys();
    this.#addresses.delete(must(oldest));
  }
}

const tooManyRejectedTokensProblem = (seconds: number) =>
  new ProblemError(
    429,
    `Too many invalid tokens from this address. Tokens that were accepted before still work; try another in ${seconds} seconds.`,
    { headers: { 'retry-after': String(seconds) }, limit: 'authentications' },
  );
