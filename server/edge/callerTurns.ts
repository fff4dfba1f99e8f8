/** How long the requests of one turn may take to begin, in milliseconds: until then nothing new is read. */
const TURN_MAX = 4;

type Waiting = { begin: () => void; since: number };

/**
 * The order in which requests begin. Most of their work is done at once when they begin, and nothing else is done meanwhile: so
 * a few of each caller begin in each turn of the event loop, and a caller with many connections waits for itself.
 */
export class CallerTurns {
  readonly #ofOne: number;
  /** In the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #begun = new Map<string, number>();
  #turnBegan = 0;
  #lastWait = 0;

  /** `ofOne` caller so many requests may begin in a turn. */
  constructor(ofOne: number) {
    this.#ofOne = ofOne;
  }

  /** How long the last of those who wait has waited when its turn came, in milliseconds. */
  get wait(): number {
    return this.#waiting.size === 0 ? 0 : this.#lastWait;
  }

  /** Calls `begin` when it is the turn of `caller`, which mostly is at once. */
  take(caller: string, begin: () => void): void {
    const now = performance.now();
    if (this.#begun.size === 0) this.#startTurn(now);
    const queue = this.#waiting.get(caller);
    if (queue !== undefined) queue.push({ begin, since: now });
    else if (this.#mayBegin(caller, now)) begin();
    else this.#waiting.set(caller, [{ begin, since: now }]);
  }

  #mayBegin(caller: string, now: number): boolean {
    const begun = this.#begun.get(caller) ?? 0;
    if (begun >= this.#ofOne || now - this.#turnBegan > TURN_MAX) return false;
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
      const first = queue.shift();
      this.#waiting.delete(caller);
      if (queue.length > 0) this.#waiting.set(caller, queue);
      this.#lastWait = now - (first?.since ?? now);
      first?.begin();
    }
  }
}
