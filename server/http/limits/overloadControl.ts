import fastifyCookie from '@fastify/cookie';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { FairQueue } from './fairQueue.ts';
import { LRUCache } from 'lru-cache';
import { CLIENT_GONE_PROBLEM, OVERLOAD_PROBLEM, ConcurrencyLimiter, type LimitedCaller } from './concurrencyLimiter.ts';
import { type OperationKind, operationKindOf } from './operationKind.ts';

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyInstance {
    overloadControl: OverloadControl;
  }
}

/** Of one client, in a turn of the event loop. A rejection takes a tenth of the time of a start. */
const STARTS_PER_TURN = 4;
const REJECTIONS_PER_TURN = 32;
/** Milliseconds for which the reads, or the writes, of a client are rejected at once after it exceeded its queue. */
const REJECT_FOR_MS = 100;
/** Milliseconds that such a write is held back first: immediate repeats would delay the waiting writes. */
const HOLD_MS = 250;

const KNOWN_MAX = 10_000;

const NO_CREDENTIALS = '';

/** Decides which requests run, and when: docs/decisions/0021-overload.md. */
export class OverloadControl {
  readonly #cookieName;
  readonly #turns = new FairQueue(STARTS_PER_TURN);
  readonly #bodies = new FairQueue(STARTS_PER_TURN);
  readonly #rejections = new FairQueue(REJECTIONS_PER_TURN);
  readonly #limiter = new ConcurrencyLimiter();
  readonly #rejectedClients = { read: new Set<string>(), write: new Set<string>() };

  /** The workspace of tokens and sessions that were authenticated: many of one workspace are one client. */
  readonly #workspaces = new LRUCache<string, string>({ max: KNOWN_MAX });

  constructor(cookieName: string) {
    this.#cookieName = cookieName;
  }

  get queuedCount(): number {
    return this.#limiter.queuedCount;
  }

  /** Calls `begin` in the turn of a request. `address` identifies a client that sends neither token nor session. */
  schedule({ method, url, headers }: IncomingMessage, address: string, begin: () => void): void {
    const key = this.#findClientKey(headers);
    const workspace = key === undefined ? undefined : this.#workspaces.get(key);
    const client = workspace ?? key ?? address;
    // A token that was not authenticated yet may be any text.
    const start = () => this.#turns.enqueue(client, key === undefined || workspace !== undefined, begin);
    // The route is not known yet: a DNS check waits as a write does.
    const isRead = operationKindOf({ method }) === 'read';
    if (url === '/healthz' || url === '/readyz') begin();
    else if (isRead && this.#isOverloadedFor(client)) this.#rejections.enqueue(client, false, begin);
    else if (!isRead && this.#areWritesRejected(headers)) setTimeout(start, HOLD_MS);
    else start();
  }

  rejectIfOverloaded(kind: OperationKind, headers: IncomingHttpHeaders): void {
    const key = this.#findClientKey(headers) ?? NO_CREDENTIALS;
    const isRejected =
      kind === 'read'
        ? this.#rejectedClients.read.has(key) || this.#isOverloadedFor(this.#findClient(headers) ?? NO_CREDENTIALS)
        : this.#areWritesRejected(headers);
    if (isRejected) throw OVERLOAD_PROBLEM;
  }

  #areWritesRejected(headers: IncomingHttpHeaders): boolean {
    const { write } = this.#rejectedClients;
    if (write.size === 0) return false;
    return (
      write.has(this.#findClientKey(headers) ?? NO_CREDENTIALS) ||
      write.has(this.#findClient(headers) ?? NO_CREDENTIALS)
    );
  }

  /** In the turn of `client`: many bodies may be complete at once. Throws `CLIENT_GONE_PROBLEM`. */
  scheduleParse<Value>(client: string, { socket }: IncomingMessage, parse: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#bodies.enqueue(client, true, () => {
        if (socket.destroyed) return reject(CLIENT_GONE_PROBLEM);
        // Resolves before the other bodies of this turn are parsed.
        try {
          resolve(parse());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  async run<Result>(
    caller: LimitedCaller,
    kind: OperationKind,
    response: ServerResponse,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const key = this.#findClientKey(response.req.headers) ?? NO_CREDENTIALS;
    this.#workspaces.set(key, clientOf(caller.workspace));
    try {
      return await this.#limiter.run(caller, kind, response, work);
    } catch (error) {
      if (error === OVERLOAD_PROBLEM)
        this.#rejectForAWhile(kind, this.#limiter.isFullFor(caller.workspace, kind) ? clientOf(caller.workspace) : key);
      throw error;
    }
  }

  #isOverloadedFor(client: string): boolean {
    return this.#limiter.isFull || this.#turns.isLate(client) || this.#rejectedClients.read.has(client);
  }

  #rejectForAWhile(kind: OperationKind, client: string): void {
    const clients = this.#rejectedClients[kind];
    if (clients.has(client)) return;
    clients.add(client);
    setTimeout(() => clients.delete(client), REJECT_FOR_MS).unref();
  }

  #findClient(headers: IncomingHttpHeaders): string | undefined {
    const key = this.#findClientKey(headers);
    return key === undefined ? undefined : (this.#workspaces.get(key) ?? key);
  }

  /** The token or session of a request, not yet authenticated. */
  #findClientKey({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
    if (authorization !== undefined) return authorization.slice(authorization.lastIndexOf(' ') + 1);
    // Parsed as it is for authentication. Otherwise one session could count as several clients.
    return cookie === undefined ? undefined : fastifyCookie.parse(cookie)[this.#cookieName];
  }
}

/** No token has a space. */
const clientOf = (workspace: string) => `workspace ${workspace}`;
