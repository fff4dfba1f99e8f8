import { must } from '#contract/values/must.ts';

/** Milliseconds in one turn of the event loop for starting requests. Meanwhile no new data is read. */
const TURN_MAX_MS = 4;
const CLIENTS_PER_TURN = 4;
/** Milliseconds in the queue after which a request is late. */
const LATE_AFTER_MS = 1000;

/** `isSign`: if it's late, so are all requests. The client is known, and had no other request in the queue. */
type QueuedStart = { begin: () => void; since: number; isSign: boolean };

/** Most work of a request happens when it starts, so only a few of each client start in a turn of the event loop. */
export class FairQueue {
  readonly #startsPerTurn: number;
  readonly #waiting = new Map<string, QueuedStart[]>();
  #waitingCount = 0;
  readonly #startedThisTurn = new Map<string, number>();
  #startedInAll = 0;
  /** Starts of this turn that are kept for those that wait. */
  #reserved = 0;
  #turnBegan = 0;
  #lateUntil = 0;

  constructor(startsPerTurn: number) {
    this.#startsPerTurn = startsPerTurn;
  }

  /** Whether requests of `client` are late, or single ones of other known clients recently were. */
  isLate(client: string): boolean {
    const now = performance.now();
    const [first] = this.#waiting.get(client) ?? [];
    return now < this.#lateUntil || (first !== undefined && now - first.since > LATE_AFTER_MS);
  }

  /** Known: nobody can invent any number of them, whose crowd would make all others late. */
  enqueue(client: string, isKnown: boolean, begin: () => void): void {
    const now = performance.now();
    if (this.#startedThisTurn.size === 0) this.#startTurn(now);
    const queue = this.#waiting.get(client);
    if (queue === undefined && this.#claimStart(client, now)) return begin();
    this.#waitingCount++;
    if (queue === undefined) this.#waiting.set(client, [{ begin, since: now, isSign: isKnown }]);
    else queue.push({ begin, since: now, isSign: false });
  }

  #claimStart(client: string, now: number): boolean {
    const started = this.#startedThisTurn.get(client) ?? 0;
    if (started >= this.#startsPerTurn || this.#startedInAll + this.#reserved >= CLIENTS_PER_TURN * this.#startsPerTurn)
      return false;
    if (now - this.#turnBegan > TURN_MAX_MS) return false;
    this.#startedThisTurn.set(client, started + 1);
    this.#startedInAll++;
    return true;
  }

  #startTurn(now: number): void {
    this.#turnBegan = now;
    setImmediate(() => this.#continueQueues());
  }

  /** Each start has its own immediate, so that the turn's clock counts the work of earlier ones. */
  #continueQueues(): void {
    this.#startedThisTurn.clear();
    this.#startedInAll = 0;
    if (this.#waiting.size === 0) return;
    this.#reserved = Math.min(this.#waitingCount, CLIENTS_PER_TURN * this.#startsPerTurn);
    // What is read from connections before them does not count: the first start is certain.
    setImmediate(() => (this.#turnBegan = performance.now()));
    for (let count = this.#reserved; count > 0; count--) setImmediate(() => this.#startReserved());
    this.#startTurn(performance.now());
  }

  #startReserved(): void {
    this.#reserved--;
    this.#startNext();
  }

  #startNext(): void {
    const now = performance.now();
    const next = this.#waiting.entries().find(([client]) => this.#claimStart(client, now));
    if (next === undefined) return;
    const [client, queue] = next;
    const first = must(queue.shift());
    this.#waitingCount--;
    // Behind the other clients.
    this.#waiting.delete(client);
    if (queue.length > 0) this.#waiting.set(client, queue);
    if (first.isSign && now - first.since > LATE_AFTER_MS) this.#lateUntil = now + LATE_AFTER_MS;
    first.begin();
  }
}
