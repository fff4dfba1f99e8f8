import type { ServerResponse } from 'node:http';
import { must } from '#contract/must.ts';
import { ProblemError } from '../problems.ts';
import type { OperationKind } from './operationKind.ts';

/** Requests in flight. Reads have a lower limit, so that there is always room for writes. */
const IN_FLIGHT_MAX = { read: 80, write: 100 };
/** Requests in the queue, in the same way. */
const QUEUED_MAX = { read: 800, write: 1000 };
/** Limits for one token, so that others find room. */
const PER_TOKEN_MAX = { inFlight: 16, queued: { read: 200, write: 250 } };
/** Milliseconds. While a request of a token has waited longer, others of that token are rejected. */
const QUEUE_AGE_MAX_MS = { read: 5000, write: 10_000 };

const RETRY_SECONDS = 2;

// Created once, because capturing a stack for each rejection is expensive.
export const OVERLOAD_PROBLEM = new ProblemError(
  503,
  `The service has too much to do. Try again in ${RETRY_SECONDS} seconds.`,
  {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    limit: 'overload',
  },
);
export const CLIENT_GONE_PROBLEM = new ProblemError(503, 'The caller has left.');

type QueuedRequest = { enter: () => void; since: number };
type TokenQueue = { inFlight: number; queued: Record<OperationKind, QueuedRequest[]> };

/** Limits and queues the requests that are worked on, in total and for each token. */
export class ConcurrencyLimiter {
  readonly #tokens = new Map<string, TokenQueue>();
  #inFlight = 0;
  #queued = 0;

  get queuedCount(): number {
    return this.#queued;
  }

  /** Whether there is no room for another read. */
  get isFull(): boolean {
    return this.#queued >= QUEUED_MAX.read;
  }

  /** Throws `OVERLOAD_PROBLEM` where the queue is too long, `CLIENT_GONE_PROBLEM` on a disconnect. */
  async run<Result>(
    token: string,
    kind: OperationKind,
    response: ServerResponse,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const share = this.#tokens.getOrInsertComputed(token, () => ({ inFlight: 0, queued: { read: [], write: [] } }));
    try {
      if (this.#hasRoom(share, kind)) this.#enter(share);
      else await this.#enqueue(share, kind, response);
      try {
        return await work();
      } finally {
        share.inFlight--;
        this.#inFlight--;
        this.#startQueued();
      }
    } finally {
      const { inFlight, queued } = share;
      if (inFlight + queued.read.length + queued.write.length === 0) this.#tokens.delete(token);
    }
  }

  #hasRoom(share: TokenQueue, kind: OperationKind): boolean {
    return share.inFlight < PER_TOKEN_MAX.inFlight && this.#inFlight < IN_FLIGHT_MAX[kind];
  }

  #enter(share: TokenQueue): void {
    share.inFlight++;
    this.#inFlight++;
  }

  #enqueue(share: TokenQueue, kind: OperationKind, response: ServerResponse): Promise<void> {
    const queue = share.queued[kind];
    const now = performance.now();
    const isFull = this.#queued >= QUEUED_MAX[kind] || queue.length >= PER_TOKEN_MAX.queued[kind];
    if (isFull || now - (queue[0]?.since ?? now) > QUEUE_AGE_MAX_MS[kind]) throw OVERLOAD_PROBLEM;
    return new Promise((resolve, reject) => {
      const request = {
        since: now,
        enter: () => {
          response.off('close', leave);
          resolve();
        },
      };
      const leave = () => {
        queue.splice(queue.indexOf(request), 1);
        this.#queued--;
        reject(CLIENT_GONE_PROBLEM);
      };
      response.once('close', leave);
      queue.push(request);
      this.#queued++;
    });
  }

  /** Writes before reads, and of each kind first those of the token with the fewest in flight. */
  #startQueued(): void {
    for (const kind of ['write', 'read'] as const) {
      for (;;) {
        const share = this.#next(kind);
        if (share === undefined) break;
        const request = must(share.queued[kind].shift());
        this.#queued--;
        this.#enter(share);
        request.enter();
      }
    }
  }

  /** The token whose request of `kind` comes next; undefined where none can. */
  #next(kind: OperationKind): TokenQueue | undefined {
    if (this.#queued === 0) return undefined;
    let next: TokenQueue | undefined;
    for (const share of this.#tokens.values()) {
      const canEnter = share.queued[kind].length > 0 && this.#hasRoom(share, kind);
      if (canEnter && share.inFlight < (next?.inFlight ?? Infinity)) next = share;
    }
    return next;
  }
}
