import type { ServerResponse } from 'node:http';
import { Refusal } from '../problems.ts';

/** Unsubscribe and update are writes. */
export type Kind = 'read' | 'write';

/** Requests that are under way at once, and how many of them may be reads: the rest is kept for writes. */
const UNDER_WAY_MAX = { read: 80, write: 100 };
/** Requests that wait until others are done, with the same part of them kept. */
const WAITING_MAX = { read: 800, write: 1000 };
/** Of one token, so that others find room. */
const OF_ONE = { underWay: 16, waiting: { read: 200, write: 250 } };
/** When one of the same token has waited for so many milliseconds, no other joins it. */
const PATIENCE = { read: 5000, write: 10_000 };

const RETRY_SECONDS = 2;

// One for all: to make an error takes as long as to answer with it.
export const TOO_MUCH = new Refusal(503, `The service has too much to do. Try again in ${RETRY_SECONDS} seconds.`, {
  headers: { 'retry-after': String(RETRY_SECONDS) },
  limit: 'overload',
});
export const LEFT = new Refusal(503, 'The caller has left.');

type Waiting = { enter: () => void; since: number };
type Share = { underWay: number; waiting: Record<Kind, Waiting[]> };

/** What is worked on at once: as much as makes sense, and for one token no more than its share. */
export class WorkInHand {
  readonly #shares = new Map<string, Share>();
  #underWay = 0;
  #waiting = 0;

  get waiting(): number {
    return this.#waiting;
  }

  /** Whether there is no room for another read. */
  get isFull(): boolean {
    return this.#waiting >= WAITING_MAX.read;
  }

  /** Does `work` for a token when it is its turn. Throws `TOO_MUCH` where that would take too long. */
  async take<Result>(
    token: string,
    kind: Kind,
    response: ServerResponse,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const share = this.#shares.getOrInsertComputed(token, () => ({ underWay: 0, waiting: { read: [], write: [] } }));
    try {
      if (this.#hasRoom(share, kind)) this.#enter(share);
      else await this.#turn(share, kind, response);
      try {
        return await work();
      } finally {
        share.underWay--;
        this.#underWay--;
        this.#letIn();
      }
    } finally {
      const { underWay, waiting } = share;
      if (underWay + waiting.read.length + waiting.write.length === 0) this.#shares.delete(token);
    }
  }

  #hasRoom(share: Share, kind: Kind): boolean {
    return share.underWay < OF_ONE.underWay && this.#underWay < UNDER_WAY_MAX[kind];
  }

  #enter(share: Share): void {
    share.underWay++;
    this.#underWay++;
  }

  #turn(share: Share, kind: Kind, response: ServerResponse): Promise<void> {
    const queue = share.waiting[kind];
    const now = performance.now();
    const isFull = this.#waiting >= WAITING_MAX[kind] || queue.length >= OF_ONE.waiting[kind];
    if (isFull || now - (queue[0]?.since ?? now) > PATIENCE[kind]) throw TOO_MUCH;
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
        this.#waiting--;
        reject(LEFT);
      };
      response.once('close', leave);
      queue.push(one);
      this.#waiting++;
    });
  }

  /** Writes before reads, and of each first of the token that has the fewest under way. */
  #letIn(): void {
    for (const kind of ['write', 'read'] as const) {
      for (;;) {
        const share = this.#next(kind);
        const one = share?.waiting[kind].shift();
        if (share === undefined || one === undefined) break;
        this.#waiting--;
        this.#enter(share);
        one.enter();
      }
    }
  }

  #next(kind: Kind): Share | undefined {
    if (this.#waiting === 0) return undefined;
    let next: Share | undefined;
    for (const share of this.#shares.values()) {
      const canEnter = share.waiting[kind].length > 0 && this.#hasRoom(share, kind);
      if (canEnter && share.underWay < (next?.underWay ?? Infinity)) next = share;
    }
    return next;
  }
}
