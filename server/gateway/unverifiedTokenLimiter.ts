import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { toClientKey } from '../http/address.ts';
import { ProblemError } from '../http/problems.ts';
import { createProxyTest } from '../settings/settings.ts';

/** Milliseconds, and the tokens that the service may reject for an address in that time: it sees only the address of the gateway. */
const WINDOW = 60_000;
const REJECTED_MAX = 60;
/** Accepted tokens, and addresses, kept in memory. */
const KEPT_MAX = 10_000;

/** This machine, which many clients share as they share a proxy. */
const isThisMachine = createProxyTest([]);

/** Limits requests with tokens that the service has not accepted yet, by the address of the client. Requests in flight may exceed it. */
export class UnverifiedTokenLimiter {
  /** Digests. */
  readonly #accepted = new LRUCache<string, true>({ max: KEPT_MAX });
  readonly #rejected = new LRUCache<string, { count: number }>({
    max: KEPT_MAX,
    ttl: WINDOW - 1,
    ttlResolution: 0,
    perf: { now: () => performance.now() },
  });

  /** Throws a `ProblemError` if too many tokens were rejected. */
  async forward(
    { bearer, address }: { bearer: string; address: string },
    send: () => Promise<Response>,
  ): Promise<Response> {
    const digest = hash('sha256', bearer);
    // A proxy may send anything as an address.
    const client = isIP(address) === 0 ? address : (toClientKey(address, isThisMachine) ?? address);
    if (!this.#accepted.has(digest) && (this.#rejected.get(client)?.count ?? 0) >= REJECTED_MAX) {
      throw tooManyRejectedTokensProblem(Math.ceil(this.#rejected.getRemainingTTL(client) / 1000));
    }
    const response = await send();
    if (response.ok) this.#accepted.set(digest, true);
    else if (response.status === 401) {
      // A token that was accepted before may have been revoked; it counts from now on.
      if (!this.#accepted.delete(digest)) this.#countRejected(client);
    }
    return response;
  }

  #countRejected(client: string): void {
    const rejected = this.#rejected.get(client);
    if (rejected === undefined) this.#rejected.set(client, { count: 1 });
    else rejected.count++;
  }
}

const tooManyRejectedTokensProblem = (seconds: number) =>
  new ProblemError(
    429,
    `Too many invalid tokens from this address. Tokens that were accepted before still work; try another in ${seconds} seconds.`,
    { headers: { 'retry-after': String(seconds) }, limit: 'authentications' },
  );
