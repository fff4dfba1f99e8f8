import type { Domain, ReadableDomain } from '#contract/domain.ts';
import { ProblemError } from '../http/problems.ts';
import {
  isIncomplete,
  isRight,
  runLiveCheck,
  type CheckDependencies,
  type LiveCheckLine,
  type CheckSubject,
} from './runLiveCheck.ts';
import { FairLimiter } from '../limiter/fairLimiter.ts';
import { ReplayStream } from './replayStream.ts';
import { addCounter, addGauge, type Metrics } from '../metrics/metrics.ts';

/** Domains checked at the same time by a process. */
const AT_ONCE = 4;
/** Domains in the queue, of one owner and of all. An owner without any in the queue may always add one. */
const WAITING_MAX = 100;
const ALL_WAITING_MAX = 1000;

/** Within this time four domains leave the queue. */
const RETRY_SECONDS = 10;

/** Milliseconds for which a result is reused, by the worst result in it. */
const FRESH_FOR_MS = { right: 30_000, wrong: 10_000, unknown: 5_000 };

/** Numbers of domains: in flight, in the queue, the size of the queue, and completed since the start of the process. */
type CheckCounts = {
  inFlight: number;
  waiting: number;
  waitingMax: number;
  ended: Readonly<Record<CheckOutcome, number>>;
};

/** Limits how many checks run at once in a process, and shares one among all clients that request it. */
export class LiveChecks<About extends ReadableDomain = Domain> {
  readonly #dependencies: CheckDependencies;
  /** Queued, running and recent checks by `keyOf`. */
  readonly #runs = new Map<string, ReplayStream<LiveCheckLine<About>>>();
  readonly #limiter = new FairLimiter({ max: AT_ONCE });
  readonly #ended: Record<CheckOutcome, number> = {
    complete: 0,
    incomplete: 0,
    unreachable: 0,
    abandoned: 0,
    failed: 0,
  };

  constructor(dependencies: CheckDependencies) {
    this.#dependencies = dependencies;
  }

  get counts(): CheckCounts {
    const { inFlight, waiting } = this.#limiter;
    return { inFlight, waiting, waitingMax: ALL_WAITING_MAX, ended: this.#ended };
  }

  /** Shares a running or recent check. `signal` aborts on a disconnect. Null when the queue is full. */
  follow(subject: CheckSubject<About>, signal: AbortSignal): AsyncIterable<LiveCheckLine<About>> | null {
    for (const [key, lines] of this.#runs) if (this.#isOver(lines)) this.#runs.delete(key);
    const key = keyOf(subject);
    const current = this.#runs.get(key);
    if (current !== undefined && isStillTrue(current, subject.domain)) return current.read(signal);
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
    const ofOwner = this.#limiter.waitingOf(owner);
    return ofOwner === 0 || (ofOwner < WAITING_MAX && this.#limiter.waiting < ALL_WAITING_MAX);
  }

  /** Runs a check when it is its turn. The owner with the fewest running checks is next. */
  async #run(subject: CheckSubject<About>, lines: ReplayStream<LiveCheckLine<About>>): Promise<void> {
    const check = async () => {
      await lines.fill(runLiveCheck(this.#dependencies, subject, lines.signal));
      this.#ended[classifyOutcome(lines)]++;
    };
    await this.#limiter.run(check, lines.signal, subject.owner).catch((error: unknown) => {
      // All clients have disconnected while it was queued.
      if (error !== lines.signal.reason) throw error;
      this.#ended.abandoned++;
    });
  }

  #isOver(lines: ReplayStream<LiveCheckLine<About>>): boolean {
    const end = lines.complete?.at(-1);
    if (end?.kind !== 'end') return lines.hasFailed;
    return this.#dependencies.now() - Date.parse(end.checked_at) >= FRESH_FOR_MS[findWorstResult(lines.complete ?? [])];
  }
}

/** Throws the `ProblemError` for a full queue. */
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

/** Whether a complete check ended with the same domain. A running check counts as current. */
function isStillTrue({ complete }: ReplayStream<LiveCheckLine<ReadableDomain>>, domain: ReadableDomain): boolean {
  const end = complete?.at(-1);
  return end?.kind !== 'end' || JSON.stringify(end.domain) === JSON.stringify(domain);
}

/** The key of a check: everything that it depends on, so that an import that changes the records starts a new check. */
function keyOf({ owner, domain: { uuid, name, mail_from_domain, dns } }: CheckSubject<ReadableDomain>): string {
  const records = (dns ?? []).map(({ type, name, value }) => [type, name, value]);
  return JSON.stringify([owner, uuid, name, mail_from_domain, records]);
}

/** `incomplete`: queries failed. `abandoned`: all clients left. `failed`: an error of this program. */
type CheckOutcome = 'complete' | 'incomplete' | 'unreachable' | 'abandoned' | 'failed';

/** The outcome of a check that has ended. */
function classifyOutcome({ complete, signal }: ReplayStream<LiveCheckLine<ReadableDomain>>): CheckOutcome {
  if (signal.aborted) return 'abandoned';
  if (complete === null) return 'failed';
  const findings = complete.flatMap((line) => (line.kind === 'record' ? line.finding : []));
  if (findings.some(({ code }) => code === 'RESOLVER_UNREACHABLE')) return 'unreachable';
  return findings.some(isIncomplete) ? 'incomplete' : 'complete';
}

/** Registers metrics of the queue of live checks of this process, and of their outcomes. */
export function registerCheckMetrics(metrics: Metrics, checks: { readonly counts: CheckCounts }): void {
  addGauge(metrics, { name: 'sendroom_dns_checks_in_flight', help: 'Domains that are checked now.' }, () => {
    return checks.counts.inFlight;
  });
  addGauge(metrics, { name: 'sendroom_dns_checks_waiting', help: 'Domains that wait to be checked.' }, () => {
    return checks.counts.waiting;
  });
  const max = { name: 'sendroom_dns_checks_waiting_max', help: 'Domains that may wait; beyond it a check is refused.' };
  addGauge(metrics, max, () => checks.counts.waitingMax);
  const help = 'Checks by their end; "unreachable" where no resolver answered, "abandoned" where all who asked left.';
  addCounter(metrics, { name: 'sendroom_dns_checks_total', help, labels: ['outcome'] }, () =>
    Object.entries(checks.counts.ended).map(([outcome, count]) => [{ outcome }, count] as const),
  );
}
