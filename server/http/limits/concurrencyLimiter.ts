import type { ServerResponse } from 'node:http';
import { ProblemError } from '../problems.ts';

/** Unsubscribe and update are writes. */
export type OperationKind = 'read' | 'write';

/** Requests that are under way at once, and how many of them may be reads: the rest is kept for writes. */
const IN_FLIGHT_MAX = { read: 80, write: 100 };
/** Requests that wait until others are done, with the same part of them kept. */
const QUEUED_MAX = { read: 800, write: 1000 };
/** Of one token, so that others find room. */
const PER_TOKEN_MAX = { underWay: 16, waiting: { read: 200, write: 250 } };
/** When one of the same token has waited for so many milliseconds, no other joins it. */
const QUEUE_AGE_MAX_MS = { read: 5000, write: 10_000 };

const RETRY_SECONDS = 2;

// One for all: to make an error takes as long as to answer with it.
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

/** What is worked on at once: as much as makes sense, and for one token no more than its share. */
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

  /** Does `work` for a token when it is its turn. Throws `OVERLOAD_PROBLEM` where that would take too long. */
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
    return share.inFlight < PER_TOKEN_MAX.underWay && this.#inFlight < IN_FLIGHT_MAX[kind];
  }

  #enter(share: TokenQueue): void {
    share.inFlight++;
    this.#inFlight++;
  }

  #enqueue(share: TokenQueue, kind: OperationKind, response: ServerResponse): Promise<void> {
    const queue = share.queued[kind];
    const now = performance.now();
    const isFull = this.#queued >= QUEUED_MAX[kind] || queue.length >= PER_TOKEN_MAX.waiting[kind];
    if (isFull || now - (queue[0]?.since ?? now) > QUEUE_AGE_MAX_MS[kind]) throw OVERLOAD_PROBLEM;
    return new Promise((resolve, reject) => {
      const one = {
        since: now,
        enter: () => {
          response.off('close', leave);
          resolve();
        },
      };
      const leave = () => {
        queue.splice(queue.indexOf(one), 1);
        this.#queued--;
        reject(CLIENT_GONE_PROBLEM);
      };
      response.once('close', leave);
      queue.push(one);
      this.#queued++;
    });
  }

  /** Writes before reads, and of each first of the token that has the fewest under way. */
  #startQueued(): void {
    for (const kind of ['write', 'read'] as const) {
      for (;;) {
        const share = this.#next(kind);
        const one = share?.queued[kind].shift();
        if (share === undefined || one === undefined) break;
        this.#queued--;
        this.#enter(share);
        one.enter();
      }
    }
  }

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
