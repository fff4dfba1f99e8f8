import type { AdviceOptions } from '../../dns/advice.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Finding } from '#contract/dnsCheck.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { checkWholeDomain } from '../../dns/checkDomain.ts';
import type { SendingDomain } from '../../dns/expectedRecord.ts';
import { formatDuration } from './duration.ts';
import type { FailurePolicy } from './failurePolicy.ts';
import { type DomainReport, exitCodeOf, type ReportLine } from './report.ts';

/** Domains checked at the same time. */
const DOMAINS_AT_ONCE = 4;

type RecheckOptions = {
  /** How many times in a row a record must fail. */
  confirm: number;
  /** Milliseconds for which domains that are not right are checked again. */
  wait?: number;
  /** Milliseconds between two rounds. */
  interval: number;
};

/** Checks each domain once, or repeatedly as the options say. */
export class CheckRounds {
  readonly #dnsClient: DnsClient;
  readonly #failurePolicy: FailurePolicy;
  readonly #terminal: Terminal | null;
  readonly #options: AdviceOptions;

  /** Without a terminal no progress is shown. */
  constructor(dnsClient: DnsClient, failurePolicy: FailurePolicy, terminal: Terminal | null, options: AdviceOptions) {
    this.#options = options;
    this.#dnsClient = dnsClient;
    this.#failurePolicy = failurePolicy;
    this.#terminal = terminal;
  }

  async run(domains: readonly SendingDomain[], options: RecheckOptions): Promise<DomainReport[]> {
    const reports = await this.#round(domains);
    return options.wait === undefined ? this.#confirm(reports, options) : this.#wait(reports, options.wait, options);
  }

  async #round(domains: readonly SendingDomain[]): Promise<DomainReport[]> {
    const reports: DomainReport[] = [];
    let done = 0;
    const queue = domains.entries();
    const work = async () => {
      for (const [index, domain] of queue) {
        reports[index] = await this.#check(domain);
        this.#terminal?.progress(++done / domains.length, `${done} of ${domains.length} domains`);
      }
    };
    await Promise.all(Array.from({ length: DOMAINS_AT_ONCE }, work));
    this.#terminal?.clear();
    return reports;
  }

  async #check(domain: SendingDomain): Promise<DomainReport> {
    const start = performance.now();
    const { records, advice } = await checkWholeDomain(this.#dnsClient, domain, this.#options);
    const checks = [...records, ...advice.toSorted((one, other) => (one.about < other.about ? -1 : 1))];
    const lines = checks.map((check) => this.#failurePolicy(domain.name, check));
    return { domain, checkedAtMs: Date.now(), durationMs: Math.round(performance.now() - start), lines };
  }

  /** Repeats the check of failing domains. A line fails only if it fails each time. */
  async #confirm(first: DomainReport[], { confirm, interval }: RecheckOptions): Promise<DomainReport[]> {
    let reports = first;
    for (let times = 1; times < confirm; times++) {
      const failing = reports.filter(({ lines }) => lines.some(({ isFailing }) => isFailing));
      if (failing.length === 0) break;
      const count = failing.flatMap(({ lines }) => lines.filter(({ isFailing }) => isFailing)).length;
      this.#terminal?.say(`Wrong: ${count}. Asking again in ${formatDuration(interval)}, to be sure.`);
      await delay(interval);
      const again = await this.#round(failing.map(({ domain }) => domain));
      reports = reports.map((report) => {
        const later = again.find(({ domain }) => domain === report.domain);
        return later === undefined ? report : { ...later, lines: pickBest(report.lines, later.lines) };
      });
    }
    return reports;
  }

  /**
   * Repeats the check of domains that are not right, each when its result can have changed, and once more at the end.
   */
  async #wait(first: DomainReport[], wait: number, { interval }: RecheckOptions): Promise<DomainReport[]> {
    const end = Date.now() + wait;
    let reports = first;
    for (;;) {
      const open = reports.filter(({ lines }) => exitCodeOf(lines) !== 0);
      const now = Date.now();
      if (open.length === 0 || now >= end) return reports;
      const dueAt = (report: DomainReport) => report.checkedAtMs + Math.max(interval, remainingTtlMs(report));
      const next = Math.min(end, ...open.map(dueAt));
      // A round may take longer than its results hold.
      const pause = Math.max(0, next - now);
      this.#terminal?.say(
        `Not right yet: ${open.length} of ${reports.length} domains. Asking again in ${formatDuration(pause)}, for ${formatDuration(end - now)} at most.`,
      );
      await delay(pause);
      const due = open.filter((report) => next === end || dueAt(report) <= next);
      const again = await this.#round(due.map(({ domain }) => domain));
      reports = reports.map((report) => again.find(({ domain }) => domain === report.domain) ?? report);
    }
  }
}

/** Milliseconds for which resolvers cache the responses that are not right. 0 for responses of name servers. */
function remainingTtlMs({ lines }: DomainReport): number {
  const wrong = lines.filter((line) => exitCodeOf([line]) !== 0);
  const ttls = wrong.map((line) => (line.kind === 'advice' || isFromNameServer(line.finding) ? 0 : line.ttl));
  return Math.max(0, ...ttls) * 1000;
}

function isFromNameServer({ evidence }: Finding): boolean {
  return evidence.some(({ server, answer }) => server !== null && ['NOERROR', 'NXDOMAIN'].includes(answer));
}

function pickBest(earlier: readonly ReportLine[], later: readonly ReportLine[]): ReportLine[] {
  return later.map((line) => earlier.find((one) => !one.isFailing && isSame(one, line)) ?? line);
}

function isSame(one: ReportLine, other: ReportLine): boolean {
  if (one.kind === 'record') return other.kind === 'record' && one.record === other.record;
  return other.kind === 'advice' && one.about === other.about;
}
