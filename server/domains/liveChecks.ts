import type { Domain, ReadableDomain } from '#contract/domain.ts';
import { ProblemError } from '../http/problems.ts';
import { type CheckOutcome, classifyOutcome } from './checkOutcome.ts';
import {
  isRight,
  runLiveCheck,
  type CheckDependencies,
  type LiveCheckLine,
  type CheckSubject,
} from './runLiveCheck.ts';
import { Turns } from '../limiter/turns.ts';
import { ReplayStream } from './replayStream.ts';

/** Domains that are checked at once in a process. */
const AT_ONCE = 4;
/** Domains that wait for their turn, of one owner and of all; beyond that there is room for one of an owner that has none. */
const WAITING_MAX = 100;
const ALL_WAITING_MAX = 1000;

/** Four domains leave the queue at least as often as this, so that there is room again. */
const RETRY_SECONDS = 10;

/** For how many milliseconds lines are good for somebody else. */
const FRESH_FOR_MS = { right: 30_000, wrong: 10_000, unknown: 5_000 };

/** Domains that are checked now, that wait for it or may, and that were checked since the process began. */
export type CheckCounts = {
  inFlight: number;
  waiting: number;
  waitingMax: number;
  ended: Readonly<Record<CheckOutcome, number>>;
};

/** The checks of one process: a domain is asked about once, however many want to know, and few domains at a time. */
export class LiveChecks<About extends ReadableDomain = Domain> {
  readonly #dependencies: CheckDependencies;
  /** Those that wait, those under way and the latest that ended, by what they ask. */
  readonly #runs = new Map<string, ReplayStream<LiveCheckLine<About>>>();
  readonly #turns = new Turns(AT_ONCE);
  readonly #ended: Record<CheckOutcome, number> = {
    complete: 0,
    incomplete: 0,
    unreachable: 0,
    abandoned: 0,
    failed: 0,
  };

  constructor(means: CheckDependencies) {
    this.#dependencies = means;
  }

  get counts(): CheckCounts {
    const { underWay, waiting } = this.#turns;
    return { inFlight: underWay, waiting, waitingMax: ALL_WAITING_MAX, ended: this.#ended };
  }

  /** The lines of a check of `subject`, until `signal` says that the reader has gone; null when too many domains wait. */
  follow(subject: CheckSubject<About>, signal: AbortSignal): AsyncIterable<LiveCheckLine<About>> | null {
    for (const [key, lines] of this.#runs) if (this.#isOver(lines)) this.#runs.delete(key);
    const key = keyOf(subject);
    const known = this.#runs.get(key);
    if (known !== undefined && isStillTrue(known, subject.domain)) return known.read(signal);
    if (!this.#hasRoom(subject.owner)) return null;

    const lines = new ReplayStream<LiveCheckLine<About>>();
    this.#runs.set(key, lines);
    lines.signal.addEventListener('abort', () => {
      if (this.#runs.get(key) === lines) this.#runs.delete(key);
    });
    const answer = lines.read(signal);
    void this.#run(subject, lines);
    return answer;
  }

  #hasRoom(owner: string): boolean {
    const ofOwner = this.#turns.waitingOf(owner);
    return ofOwner === 0 || (ofOwner < WAITING_MAX && this.#turns.waiting < ALL_WAITING_MAX);
  }

  /** Next is the owner of whom the fewest are under way, however many of another wait. */
  async #run(subject: CheckSubject<About>, lines: ReplayStream<LiveCheckLine<About>>): Promise<void> {
    const check = async () => {
      await lines.fill(runLiveCheck(this.#dependencies, subject, lines.signal));
      this.#ended[classifyOutcome(lines)]++;
    };
    await this.#turns.taking(check, lines.signal, subject.owner).catch((error: unknown) => {
      // Nobody waits for it any more.
      if (error !== lines.signal.reason) throw error;
    });
  }

  #isOver(lines: ReplayStream<LiveCheckLine<About>>): boolean {
    const end = lines.complete?.at(-1);
    if (end?.kind !== 'end') return lines.hasFailed;
    return this.#dependencies.now() - Date.parse(end.checked_at) >= FRESH_FOR_MS[findWorstResult(lines.complete ?? [])];
  }
}

/** Throws the `ProblemError` for whom there is no room. */
export function throwTooManyChecks(): never {
  throw new ProblemError(429, `Too many domains wait to be checked. Try again in ${RETRY_SECONDS} seconds.`, {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    limit: 'checks',
  });
}

function findWorstResult(lines: readonly LiveCheckLine<ReadableDomain>[]): keyof typeof FRESH_FOR_MS {
  const results = lines.flatMap((line) => (line.kind === 'record' ? line.finding.result : []));
  if (results.includes('unknown')) return 'unknown';
  return results.every(isRight) ? 'right' : 'wrong';
}

/** Lines that are complete end with the domain as it was then. */
function isStillTrue({ complete }: ReplayStream<LiveCheckLine<ReadableDomain>>, domain: ReadableDomain): boolean {
  const end = complete?.at(-1);
  return end?.kind !== 'end' || JSON.stringify(end.domain) === JSON.stringify(domain);
}

/** All that a check depends on: after an import that changes it there is something new to ask. */
function keyOf({ owner, domain: { uuid, name, mail_from_domain, dns } }: CheckSubject<ReadableDomain>): string {
  const records = (dns ?? []).map(({ type, name, value }) => [type, name, value]);
  return JSON.stringify([owner, uuid, name, mail_from_domain, records]);
}
