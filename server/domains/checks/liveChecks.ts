import type { CheckCompletion, CheckLine, Finding, RecordFinding } from '#contract/domains/dnsCheck.ts';
import type { Domain, ReadableDomain } from '#contract/domains/domain.ts';
import { works, type RecordStatus } from '#contract/domains/recordStatus.ts';
import type { Database } from '../../database/database.ts';
import { timestamp } from '../../database/timestamp.ts';
import type { Workspace } from '../../database/workspace.ts';
import { checkDomain, type RecordCheck } from '../../dns/checkDomain.ts';
import type { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { ProblemError } from '../../http/problems.ts';
import { FairLimiter } from '../../limiter/fairLimiter.ts';
import { addCounter, addGauge, type Metrics } from '../../metrics/metrics.ts';
import type { Log } from '../../settings/log.ts';
import type { CheckedLine } from './checkedLine.ts';
import { putVerdicts } from '../putVerdicts.ts';
import { ReplayStream } from './replayStream.ts';
import type { ResolverWatch } from './resolverWatch.ts';

/** Domains checked at the same time by a process. */
const AT_ONCE = 4;
/** Domains in the queue, of one owner and of all. An owner without any in the queue may always add one. */
const WAITING_MAX = 100;
const ALL_WAITING_MAX = 1000;

/** Within this time four domains leave the queue. */
const RETRY_SECONDS = 10;

/** Milliseconds for which a result is reused: the shortest of its records. */
const FRESH_FOR_MS: Record<RecordStatus, number> = {
  ok: 30_000,
  warn: 30_000,
  fail: 10_000,
  pending: 10_000,
  unknown: 5_000,
};

/** Seconds before which another check can't find anything new. */
const AGAIN_SOONEST = 10;
const AGAIN_LATEST = 3600;

type CheckDependencies = {
  /** The DNS client for the domain of this name. */
  dnsClientFor: (domain: string) => DnsClient;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
  log: Log;
  resolvers: ResolverWatch;
};

/** The domain to check: one that is stored here, or one of the service behind a gateway. */
type CheckSubject<About extends ReadableDomain> = {
  /** The ID of the workspace or token. Results aren't shared between owners. */
  owner: string;
  domain: About;
  /** Whether receivers require more of it; true if nobody can say. */
  sendsBulk: boolean;
  /** Handles the end of a check that began at `at` (milliseconds since the epoch), and returns the domain after it. */
  conclude: (lines: readonly CheckedLine[], at: number) => Promise<About>;
};

/** A line of the response. */
type LiveCheckLine<About extends ReadableDomain> =
  | (Omit<RecordFinding, 'record'> & { record: NonNullable<About['dns']>[number] })
  | (Omit<CheckCompletion, 'domain'> & { domain: About })
  | Extract<CheckLine, { kind: 'advice' | 'watch' }>;

type Lines<About extends ReadableDomain> = ReplayStream<LiveCheckLine<About>>;

/** `incomplete`: queries failed. `abandoned`: all clients left. `failed`: an error of this program. */
type CheckOutcome = 'complete' | 'incomplete' | 'unreachable' | 'abandoned' | 'failed';

/** Limits how many checks run at once in a process, and shares one among all clients that request it. */
export class LiveChecks<About extends ReadableDomain = Domain> {
  readonly #dependencies: CheckDependencies;
  /** Queued, running and recent checks by `keyOf`. */
  readonly #runs = new Map<string, Lines<About>>();
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

  /** Checks in flight and waiting, and those that ended since the start of the process. */
  get counts(): { inFlight: number; waiting: number; ended: Readonly<Record<CheckOutcome, number>> } {
    const { inFlight, waiting } = this.#limiter;
    return { inFlight, waiting, ended: this.#ended };
  }

  /** Shares a running or recent check. `signal` aborts on a disconnect. Null if the queue is full. */
  follow(subject: CheckSubject<About>, signal: AbortSignal): AsyncIterable<LiveCheckLine<About>> | null {
    for (const [key, lines] of this.#runs) if (this.#isOver(lines)) this.#runs.delete(key);
    const key = keyOf(subject);
    const current = this.#runs.get(key);
    if (current !== undefined && isStillTrue(current, subject.domain)) return current.read(signal);
    if (!this.#hasRoom(subject.owner)) return null;

    const lines: Lines<About> = new ReplayStream();
    this.#runs.set(key, lines);
    lines.signal.addEventListener('abort', () => {
      if (this.#runs.get(key) === lines) this.#runs.delete(key);
    });
    const response = lines.read(signal);
    void this.#run(subject, lines);
    return response;
  }

  #hasRoom(owner: string): boolean {
    const ofOwner = this.#limiter.waitingOf(owner);
    return ofOwner === 0 || (ofOwner < WAITING_MAX && this.#limiter.waiting < ALL_WAITING_MAX);
  }

  /** Runs a check when it is its turn. The owner with the fewest running checks is next. */
  async #run(subject: CheckSubject<About>, lines: Lines<About>): Promise<void> {
    const check = async () => {
      await lines.fill(runLiveCheck(this.#dependencies, subject, lines.signal));
      const outcome = classifyOutcome(lines);
      this.#ended[outcome]++;
      const { resolvers } = this.#dependencies;
      if (outcome !== 'abandoned' && outcome !== 'failed')
        resolvers.see(subject.domain.name, outcome === 'unreachable');
    };
    await this.#limiter.run(check, lines.signal, subject.owner).catch((error: unknown) => {
      // All clients disconnected while it was queued.
      if (error !== lines.signal.reason) throw error;
      this.#ended.abandoned++;
    });
  }

  #isOver(lines: Lines<About>): boolean {
    const end = lines.complete?.at(-1);
    if (end?.kind !== 'end') return lines.hasFailed;
    const fresh = findingsOf(lines).map(({ result }) => FRESH_FOR_MS[result]);
    const age = this.#dependencies.now() - Date.parse(end.checked_at);
    // Or the clock was set back.
    return age < 0 || age >= Math.min(FRESH_FOR_MS.ok, ...fresh);
  }
}

/** `longestPause` is as in `putVerdicts`. */
export type StoredChecks = { database: Database; checks: Pick<LiveChecks, 'follow'>; longestPause: number };

/** Follows the check of a stored domain, whose verdicts are stored. Null if the queue is full. */
export function followStored(
  { database, checks, longestPause }: StoredChecks,
  workspace: Workspace,
  { domain, sendsBulk }: Pick<CheckSubject<Domain>, 'domain' | 'sendsBulk'>,
  signal: AbortSignal,
): AsyncIterable<LiveCheckLine<Domain>> | null {
  const conclude = (lines: readonly CheckedLine[], at: number) =>
    putVerdicts(workspace, database, domain.uuid, lines, at, longestPause);
  return checks.follow({ owner: workspace.uuid, domain, sendsBulk, conclude }, signal);
}

/** `conclude` is called before the last line. Throws after `signal` aborts, and queries nothing more. */
async function* runLiveCheck<About extends ReadableDomain>(
  { dnsClientFor, now, log }: CheckDependencies,
  { owner, domain, sendsBulk, conclude }: CheckSubject<About>,
  signal: AbortSignal,
): AsyncGenerator<LiveCheckLine<About>, void, void> {
  type Record = NonNullable<About['dns']>[number];
  const records: readonly Record[] = domain.dns ?? [];
  const at = now();
  const lines: CheckedLine[] = [];
  const onError = (err: unknown) => log.error({ err, workspace: owner, domain: domain.name }, 'DNS check failed');
  for await (const line of checkDomain(
    dnsClientFor(domain.name),
    { ...domain, sends_bulk: sendsBulk },
    { signal, onError },
  )) {
    signal.throwIfAborted();
    lines.push(line);
    const { kind, finding } = line;
    if (kind === 'record') yield { kind, index: line.index, record: records[line.index] as Record, finding };
    else if (kind === 'advice') yield { kind, about: line.about, finding };
    else yield { kind, about: line.about, finding };
  }
  signal.throwIfAborted();
  const checks = lines.filter((line) => line.kind === 'record');
  const codes = checks.map(({ record: { type, name }, finding: { code } }) => ({ type, name, code }));
  const level = checks.some(({ finding }) => isIncomplete(finding)) ? 'warn' : 'info';
  log[level]({ workspace: owner, domain: domain.name, records: codes }, 'domain checked');
  const concluded = await conclude(lines, at);
  yield { kind: 'end', checked_at: timestamp(at), again_in: secondsUntilRecheck(checks), domain: concluded };
}

/** Seconds until a recheck can have another result: until then, resolvers cache the old responses. */
function secondsUntilRecheck(checks: readonly RecordCheck[]): number {
  const ttls = checks.filter(({ finding }) => !works(finding.result)).map(({ ttl }) => ttl);
  return ttls.length === 0 ? 0 : Math.min(Math.max(Math.min(...ttls), AGAIN_SOONEST), AGAIN_LATEST);
}

/** Whether a query failed. `unknown` without evidence is a record that the check doesn't support. */
const isIncomplete = ({ result, evidence }: Finding) => result === 'unknown' && evidence.length > 0;

/** Throws the `ProblemError` for a full queue. */
export function throwTooManyChecks(): never {
  throw new ProblemError(429, `Too many domains are waiting for a check. Try again in ${RETRY_SECONDS} seconds.`, {
    headers: { 'retry-after': String(RETRY_SECONDS) },
    limit: 'checks',
  });
}

const findingsOf = ({ complete }: Lines<ReadableDomain>) =>
  (complete ?? []).flatMap((line) => (line.kind === 'record' ? line.finding : []));

/** Whether a complete check ended with the same domain. A running check counts as current. */
function isStillTrue({ complete }: Lines<ReadableDomain>, domain: ReadableDomain): boolean {
  const end = complete?.at(-1);
  return end?.kind !== 'end' || JSON.stringify(end.domain) === JSON.stringify(domain);
}

/** Everything that a check depends on, so that an import that changes the records starts a new check. */
function keyOf({ owner, domain, sendsBulk }: CheckSubject<ReadableDomain>): string {
  const { uuid, name, mail_from_domain, dns } = domain;
  const records = (dns ?? []).map(({ type, name: host, value }) => [type, host, value]);
  return JSON.stringify([owner, uuid, name, mail_from_domain, sendsBulk, records]);
}

function classifyOutcome(lines: Lines<ReadableDomain>): CheckOutcome {
  if (lines.signal.aborted) return 'abandoned';
  if (lines.complete === null) return 'failed';
  const findings = findingsOf(lines);
  if (findings.some(({ code }) => code === 'RESOLVER_UNREACHABLE')) return 'unreachable';
  return findings.some(isIncomplete) ? 'incomplete' : 'complete';
}

/** Registers metrics of the queue of this process, and of the outcomes of checks. */
export function registerCheckMetrics(metrics: Metrics, checks: Pick<LiveChecks, 'counts'>): void {
  const gauge = (name: string, help: string, value: () => number) => addGauge(metrics, { name, help }, value);
  gauge('sendroom_dns_checks_in_flight', 'Domains being checked.', () => checks.counts.inFlight);
  gauge('sendroom_dns_checks_waiting', 'Domains waiting for a check.', () => checks.counts.waiting);
  gauge('sendroom_dns_checks_waiting_max', 'Domains that may wait; further checks are refused.', () => ALL_WAITING_MAX);
  const help = 'Checks by outcome; "unreachable": no resolver responded, "abandoned": all clients left.';
  addCounter(metrics, { name: 'sendroom_dns_checks_total', help, labels: ['outcome'] }, () =>
    Object.entries(checks.counts.ended).map(([outcome, count]) => [{ outcome }, count] as const),
  );
}
