import { hash } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { toClientKey, createProxyList } from '../http/address.ts';
import { ProblemError } from '../http/problems.ts';

/** A minute, in milliseconds: of each address so many tokens may be refused in it. */
const WINDOW = 60_000;
const REFUSED_MAX = 60;
/** How many tokens are remembered as good, and how many addresses. */
const TOKENS_MAX = 10_000;
const ADDRESSES_MAX = 10_000;

const NO_PROXIES = createProxyList([]);

type AddressAttempts = {
  refused: number;
  /** When those are forgotten, by `performance.now()`. */
  ends: number;
  underWay: number;
  /** One of those under way has its answer. */
  news: PromiseWithResolvers<void>;
};

/**
 * Tokens that the service has not taken yet: whether one is good only the service knows. Of an address so many are on their way
 * there as may still be refused, and the others wait until it is known how those fared. What was taken once passes always.
 */
export class UnverifiedTokenLimiter {
  /** Digests of those that were taken, the one that was used longest ago first. */
  readonly #acceptedDigests = new Set<string>();
  readonly #addresses = new Map<string, AddressAttempts>();

  /** Asks the service, and learns of its answer. Throws a `ProblemError` without asking when too many were refused; rejects when `signal` aborts. */
  async forward(
    { bearer, address, signal }: { bearer: string; address: string; signal: AbortSignal },
    send: () => Promise<Response>,
  ): Promise<Response> {
    const digest = hash('sha256', bearer);
    const caller = this.#acceptedDigests.has(digest) ? null : await this.#acquire(address, signal);
    let status = 0;
    try {
      const response = await send();
      ({ status } = response);
      return response;
    } finally {
      if (caller !== null) this.#release(caller, status === 401);
      if (status === 401) this.#acceptedDigests.delete(digest);
      else if (status >= 200 && status < 300) this.#remember(digest);
    }
  }

  async #acquire(ip: string, signal: AbortSignal): Promise<AddressAttempts> {
    let over: Promise<unknown> | null = null;
    for (;;) {
      signal.throwIfAborted();
      const address = this.#findAddress(ip);
      const now = performance.now();
      if (address.ends <= now) address.refused = 0;
      if (address.refused >= REFUSED_MAX) throw tooManyRejectedTokensProblem(Math.ceil((address.ends - now) / 1000));
      if (address.refused + address.underWay < REFUSED_MAX) {
        address.underWay++;
        return address;
      }
      over ??= once(signal, 'abort');
      await Promise.race([address.news.promise, over]);
    }
  }

  #release(address: AddressAttempts, isRefused: boolean): void {
    address.underWay--;
    if (isRefused) {
      if (address.refused === 0) address.ends = performance.now() + WINDOW;
      address.refused++;
    }
    address.news.resolve();
    address.news = Promise.withResolvers();
  }

  #findAddress(ip: string): AddressAttempts {
    // What a proxy calls an address may be none.
    const key = isIP(ip) === 0 ? ip : (toClientKey(ip, NO_PROXIES) ?? ip);
    const known = this.#addresses.get(key);
    if (known !== undefined) return known;
    if (this.#addresses.size >= ADDRESSES_MAX) this.#forgetAddresses();
    const address = { refused: 0, ends: 0, underWay: 0, news: Promise.withResolvers<void>() };
    this.#addresses.set(key, address);
    return address;
  }

  /** Those of whom there is nothing to know. Where all are needed, the one that was met first goes. */
  #forgetAddresses(): void {
    const now = performance.now();
    for (const [key, { underWay, ends }] of this.#addresses)
      if (underWay === 0 && ends <= now) this.#addresses.delete(key);
    const [first = ''] = this.#addresses.keys();
    if (this.#addresses.size >= ADDRESSES_MAX) this.#addresses.delete(first);
  }

  #remember(digest: string): void {
    this.#acceptedDigests.delete(digest);
    this.#acceptedDigests.add(digest);
    const [oldest = ''] = this.#acceptedDigests;
    if (this.#acceptedDigests.size > TOKENS_MAX) this.#acceptedDigests.delete(oldest);
  }
}

const tooManyRejectedTokensProblem = (seconds: number) =>
  new ProblemError(
    429,
    `Too many tokens from this address were not accepted. One that was accepted before is served; try another in ${seconds} seconds.`,
    { headers: { 'retry-after': String(seconds) }, limit: 'authentications' },
  );
