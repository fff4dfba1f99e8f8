import fastifyCookie from '@fastify/cookie';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { CallerTurns } from './callerTurns.ts';
import { type Kind, LEFT, TOO_MUCH, WorkInHand } from './workInHand.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyInstance {
    admission: Admission;
  }
}

/** Requests of one caller that begin in a turn of the event loop, and those that are refused, which takes a tenth of the time. */
const BEGUN = 4;
const REFUSED = 32;
/** For how many milliseconds a caller is refused at once whose requests were too many. */
const REFUSED_FOR = 100;

/** Which requests are worked on, and when: docs/decisions/0021-overload.md. */
export class Admission {
  readonly #cookieName;
  readonly #turns = new CallerTurns(BEGUN);
  readonly #bodies = new CallerTurns(BEGUN);
  readonly #refusals = new CallerTurns(REFUSED);
  readonly #work = new WorkInHand();
  /** Callers whose requests were too many a moment ago. */
  readonly #refused = new Set<string>();

  /** `cookieName` is that of the cookie with which a session comes. */
  constructor(cookieName: string) {
    this.#cookieName = cookieName;
  }

  /** Requests that have begun and wait until others are done. */
  get waiting(): number {
    return this.#work.waiting;
  }

  /** Calls `begin` when the turn of a request has come; `address` is where it came from. */
  arrive({ method, url, headers }: IncomingMessage, address: string, begin: () => void): void {
    const caller = this.#callerIn(headers) ?? address;
    if (url === '/healthz' || url === '/readyz') begin();
    else if (method !== 'POST' && this.#refuses(caller)) this.#refusals.take(caller, begin);
    else this.#turns.take(caller, begin);
  }

  /** Refuses a read while there is too much to do, before anything is done for it. */
  check(kind: Kind, headers: IncomingHttpHeaders): void {
    if (kind === 'read' && this.#refuses(this.#callerIn(headers) ?? '')) throw TOO_MUCH;
  }

  /**
   * Gives what `parse` makes of the body of a request when it is the turn of `caller`: bodies of many requests may be complete at
   * once. Throws a `Refusal` when the caller has left before.
   */
  parse<Value>(caller: string, { socket }: IncomingMessage, parse: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#bodies.take(caller, () => {
        if (socket.destroyed) return reject(LEFT);
        // Here and now, and not only after the bodies of all whose turn it is.
        try {
          resolve(parse());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Does `work` for a token when it is its turn. Throws a `Refusal` when that would take too long, or the caller leaves before. */
  async admit<Result>(
    token: string,
    kind: Kind,
    response: ServerResponse,
    work: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await this.#work.take(token, kind, response, work);
    } catch (error) {
      if (error === TOO_MUCH) this.#refuse(this.#callerIn(response.req.headers) ?? '');
      throw error;
    }
  }

  #refuses(caller: string): boolean {
    return this.#work.isFull || this.#turns.isLate(caller) || this.#refused.has(caller);
  }

  #refuse(caller: string): void {
    if (this.#refused.has(caller)) return;
    this.#refused.add(caller);
    setTimeout(() => this.#refused.delete(caller), REFUSED_FOR).unref();
  }

  /** The token or the session with which a request comes, as it says itself; undefined when it has neither. */
  #callerIn({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
    if (authorization !== undefined) return authorization.slice(authorization.lastIndexOf(' ') + 1);
    // Read as it is read later: who could write it in two ways would be two callers.
    return cookie === undefined ? undefined : fastifyCookie.parse(cookie)[this.#cookieName];
  }
}
