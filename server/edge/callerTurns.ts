import type { IncomingHttpHeaders } from 'node:http';

/** Requests that a caller may begin in one turn of the event loop. */
const OF_ONE = 4;
/** How long the requests of one turn may take to begin, in milliseconds: until then nothing new is read. */
const TURN_MAX = 4;
/** Who has waited longer than this, in milliseconds, has waited too long. */
const LATE = 1000;

type Waiting = { begin: () => void; since: number };

/**
 * The order in which requests begin. Most of their work is done at once when they begin, and nothing else is done meanwhile: so
 * a few of each caller begin in each turn of the event loop, and a caller with many connections waits for itself.
 */
export class CallerTurns {
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #begun = new Map<string, number>();
  #turnBegan = 0;
  #lastWait = 0;

  /** Whether requests of somebody wait too long for others to begin. */
  get isLate(): boolean {
    return this.#waiting.size > 0 && this.#lastWait > LATE;
  }

  /** Calls `begin` when it is the turn of `caller`, which mostly is now. */
  take(caller: string, begin: () => void, now: number): void {
    if (this.#begun.size === 0) this.#startTurn(now);
    const queue = this.#waiting.get(caller);
    if (queue !== undefined) queue.push({ begin, since: now });
    else if (this.#mayBegin(caller, now)) begin();
    else this.#waiting.set(caller, [{ begin, since: now }]);
  }

  #mayBegin(caller: string, now: number): boolean {
    const begun = this.#begun.get(caller) ?? 0;
    if (begun >= OF_ONE || now - this.#turnBegan > TURN_MAX) return false;
    this.#begun.set(caller, begun + 1);
    return true;
  }

  #startTurn(now: number): void {
    this.#turnBegan = now;
    setImmediate(() => this.#goOn());
  }

  #goOn(): void {
    this.#begun.clear();
    if (this.#waiting.size === 0) return;
    this.#startTurn(performance.now());
    for (;;) {
      const now = performance.now();
      const next = this.#waiting.entries().find(([caller]) => this.#mayBegin(caller, now));
      if (next === undefined) return;
      const [caller, queue] = next;
      this.#waiting.delete(caller);
      const { begin, since } = queue.shift() as Waiting;
      if (queue.length > 0) this.#waiting.set(caller, queue);
      this.#lastWait = now - since;
      begin();
    }
  }
}

/** The token or the session with which a request comes, as it says itself; undefined when it has neither. */
export function callerIn({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
  if (authorization !== undefined) return authorization.slice(authorization.lastIndexOf(' ') + 1);
  return cookie === undefined ? undefined : /sendroom=([^;]+)/.exec(cookie)?.[1];
}
