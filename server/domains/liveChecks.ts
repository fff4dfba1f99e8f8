import type { Domain, ReadableDomain } from '#contract/domain.ts';
import { Refusal } from '../problems.ts';
import { isRight, liveCheck, type CheckMeans, type LineAbout, type Subject } from './liveCheck.ts';
import { SharedLines } from './sharedLines.ts';

/** Domains that are checked at once in a process. */
const AT_ONCE = 4;
/** Domains that wait for their turn. */
const WAITING_MAX = 100;

/** Four domains leave the queue at least as often as this, so that there is room again. */
const RETRY_SECONDS = 10;

/** For how many milliseconds lines are good for somebody else. */
const FRESH = { right: 30_000, wrong: 10_000, unknown: 5_000 };

type Run<Line> = { lines: SharedLines<Line>; start: () => AsyncIterable<Line> };

/** The checks of one process: a domain is asked about once, however many want to know, and few domains at a time. */
export class LiveChecks<About extends ReadableDomain = Domain> {
  readonly #means: CheckMeans;
  /** Those that wait, those under way and the latest that ended, by what they ask. */
  readonly #runs = new Map<string, Run<LineAbout<About>>>();
  #waiting: Run<LineAbout<About>>[] = [];
  #underWay = 0;

  constructor(means: CheckMeans) {
    this.#means = means;
  }

  /** The lines of a check of `subject`, until `signal` says that the reader has gone; null when too many domains wait. */
  follow(subject: Subject<About>, signal: AbortSignal): AsyncIterable<LineAbout<About>> | null {
    for (const [key, { lines }] of this.#runs) if (this.#isOver(lines)) this.#runs.delete(key);
    const key = keyOf(subject);
    const known = this.#runs.get(key);
    if (known !== undefined && isStillTrue(known.lines, subject.domain)) return known.lines.read(signal);
    if (this.#underWay >= AT_ONCE && this.#waiting.length >= WAITING_MAX) return null;

    const lines = new SharedLines<LineAbout<About>>();
    const run = { lines, start: () => liveCheck(this.#means, subject, lines.signal) };
    this.#runs.set(key, run);
    lines.signal.addEventListener('abort', () => {
      this.#waiting = this.#waiting.filter((other) => other !== run);
      if (this.#runs.get(key) === run) this.#runs.delete(key);
    });
    this.#waiting.push(run);
    const answer = lines.read(signal);
    this.#startNext();
    return answer;
  }

  #startNext(): void {
    while (this.#underWay < AT_ONCE) {
      const run = this.#waiting.shift();
      if (run === undefined) return;
      this.#underWay++;
      void run.lines.fill(run.start()).then(() => {
        this.#underWay--;
        this.#startNext();
      });
    }
  }

  #isOver(lines: SharedLines<LineAbout<About>>): boolean {
    const end = lines.complete?.at(-1);
    if (end?.kind !== 'end') return lines.hasFailed;
    return this.#means.now() - Date.parse(end.checked_at) >= FRESH[worstOf(lines.complete ?? [])];
  }
}

/** Throws the `Refusal` for whom there is no room. */
export function tooManyWait(): never {
  throw new Refusal(429, `Too many domains wait to be checked. Try again in ${RETRY_SECONDS} seconds.`, {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}

function worstOf(lines: readonly LineAbout<ReadableDomain>[]): keyof typeof FRESH {
  const results = lines.flatMap((line) => (line.kind === 'record' ? line.finding.result : []));
  if (results.includes('unknown')) return 'unknown';
  return results.every(isRight) ? 'right' : 'wrong';
}

/** Lines that are complete end with the domain as it was then. */
function isStillTrue({ complete }: SharedLines<LineAbout<ReadableDomain>>, domain: ReadableDomain): boolean {
  const end = complete?.at(-1);
  return end?.kind !== 'end' || JSON.stringify(end.domain) === JSON.stringify(domain);
}

/** All that a check depends on: after an import that changes it there is something new to ask. */
function keyOf({ owner, domain: { uuid, name, mail_from_domain, dns } }: Subject<ReadableDomain>): string {
  const records = (dns ?? []).map(({ type, name, value }) => [type, name, value]);
  return JSON.stringify([owner, uuid, name, mail_from_domain, records]);
}
