import fastifyCookie from '@fastify/cookie';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { FairQueue } from './fairQueue.ts';
import { type OperationKind, CLIENT_GONE_PROBLEM, OVERLOAD_PROBLEM, ConcurrencyLimiter } from './concurrencyLimiter.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyInstance {
    overloadControl: OverloadControl;
  }
}

/** Requests of one caller that begin in a turn of the event loop, and those that are refused, which takes a tenth of the time. */
const STARTS_PER_TURN = 4;
const REJECTIONS_PER_TURN = 32;
/** For how many milliseconds a caller is refused at once whose requests were too many. */
const REJECT_FOR_MS = 100;

/** Which requests are worked on, and when: docs/decisions/0021-overload.md. */
export class OverloadControl {
  readonly #cookieName;
  readonly #turns = new FairQueue(STARTS_PER_TURN);
  readonly #bodies = new FairQueue(STARTS_PER_TURN);
  readonly #rejections = new FairQueue(REJECTIONS_PER_TURN);
  readonly #limiter = new ConcurrencyLimiter();
  /** Callers whose requests were too many a moment ago. */
  readonly #rejectedClients = new Set<string>();

  /** `cookieName` is that of the cookie with which a session comes. */
  constructor(cookieName: string) {
    this.#cookieName = cookieName;
  }

  /** Requests that have begun and wait until others are done. */
  get queuedCount(): number {
    return this.#limiter.queuedCount;
  }

  /** Calls `begin` when the turn of a request has come; `address` is where it came from. */
  schedule({ method, url, headers }: IncomingMessage, address: string, begin: () => void): void {
    const caller = this.#findClientKey(headers) ?? address;
    if (url === '/healthz' || url === '/readyz') begin();
    else if (method !== 'POST' && this.#isOverloadedFor(caller)) this.#rejections.enqueue(caller, begin);
    else this.#turns.enqueue(caller, begin);
  }

  /** Refuses a read while there is too much to do, before anything is done for it. */
  rejectIfOverloaded(kind: OperationKind, headers: IncomingHttpHeaders): void {
    if (kind === 'read' && this.#isOverloadedFor(this.#findClientKey(headers) ?? '')) throw OVERLOAD_PROBLEM;
  }

  /**
   * Gives what `parse` makes of the body of a request when it is the turn of `caller`: bodies of many requests may be complete at
   * once. Throws a `ProblemError` when the caller has left before.
   */
  scheduleParse<Value>(caller: string, { socket }: IncomingMessage, parse: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#bodies.enqueue(caller, () => {
        if (socket.destroyed) return reject(CLIENT_GONE_PROBLEM);
        // Here and now, and not only after the bodies of all whose turn it is.
        try {
          resolve(parse());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Does `work` for a token when it is its turn. Throws a `ProblemError` when that would take too long, or the caller leaves before. */
  async run<Result>(
    token: string,
    kind: OperationKind,
    response: ServerResponse,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#limiter.run(token, kind, response, work);
    } catch (error) {
      if (error === OVERLOAD_PROBLEM) this.#rejectForAWhile(this.#findClientKey(response.req.headers) ?? '');
      throw error;
    }
  }

  #isOverloadedFor(caller: string): boolean {
    return this.#limiter.isFull || this.#turns.isLate(caller) || this.#rejectedClients.has(caller);
  }

  #rejectForAWhile(caller: string): void {
    if (this.#rejectedClients.has(caller)) return;
    this.#rejectedClients.add(caller);
    setTimeout(() => this.#rejectedClients.delete(caller), REJECT_FOR_MS).unref();
  }

  /** The token or the session with which a request comes, as it says itself; undefined when it has neither. */
  #findClientKey({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
    if (authorization !== undefined) return authorization.slice(authorization.lastIndexOf(' ') + 1);
    // Read as it is read later: who could write it in two ways would be two callers.
    return cookie === undefined ? undefined : fastifyCookie.parse(cookie)[this.#cookieName];
  }
}
