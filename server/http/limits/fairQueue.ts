/** How long the requests of one turn may take to begin, in milliseconds: until then nothing new is read. */
const TURN_MAX_MS = 4;
/** Who waits for so many milliseconds waits too long. */
const LATE_AFTER_MS = 1000;

type QueuedStart = { begin: () => void; since: number; isFirst: boolean };

/**
 * The order in which requests begin. Most of their work is done at once when they begin, and nothing else is done meanwhile: so
 * a few of each caller begin in each turn of the event loop, and a caller with many connections waits for itself.
 */
export class FairQueue {
  readonly #startsPerTurn: number;
  /** In the order of their turns. */
  readonly #waiting = new Map<string, QueuedStart[]>();
  readonly #startedThisTurn = new Map<string, number>();
  #turnBegan = 0;
  #lateUntil = 0;

  /** `ofOne` caller so many requests may begin in a turn. */
  constructor(ofOne: number) {
    this.#startsPerTurn = ofOne;
  }

  /** Whether `caller` waits too long for itself, or others do who have sent one request only. */
  isLate(caller: string): boolean {
    const now = performance.now();
    const [first] = this.#waiting.get(caller) ?? [];
    return now < this.#lateUntil || (first !== undefined && now - first.since > LATE_AFTER_MS);
  }

  /** Calls `begin` when it is the turn of `caller`, which mostly is at once. */
  enqueue(caller: string, begin: () => void): void {
    const now = performance.now();
    if (this.#startedThisTurn.size === 0) this.#startTurn(now);
    const queue = this.#waiting.get(caller);
    if (queue !== undefined) queue.push({ begin, since: now, isFirst: false });
    else if (this.#claimStart(caller, now)) begin();
    else this.#waiting.set(caller, [{ begin, since: now, isFirst: true }]);
  }

  #claimStart(caller: string, now: number): boolean {
    const begun = this.#startedThisTurn.get(caller) ?? 0;
    if (begun >= this.#startsPerTurn || now - this.#turnBegan > TURN_MAX_MS) return false;
    this.#startedThisTurn.set(caller, begun + 1);
    return true;
  }

  #startTurn(now: number): void {
    this.#turnBegan = now;
    setImmediate(() => this.#continueQueues());
  }

  #continueQueues(): void {
    this.#startedThisTurn.clear();
    if (this.#waiting.size === 0) return;
    this.#startTurn(performance.now());
    for (;;) {
      const now = performance.now();
      const next = this.#waiting.entries().find(([caller]) => this.#claimStart(caller, now));
      if (next === undefined) return;
      const [caller, queue] = next;
      const first = queue.shift();
      this.#waiting.delete(caller);
      if (queue.length > 0) this.#waiting.set(caller, queue);
      if (first?.isFirst && now - first.since > LATE_AFTER_MS) this.#lateUntil = now + LATE_AFTER_MS;
      first?.begin();
    }
  }
}
