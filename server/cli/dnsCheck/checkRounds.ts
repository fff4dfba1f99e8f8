import type { AdviceOptions } from '../../dns/advice.ts';
import { setTimeout as delay } from 'node:timers/promises';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { checkWholeDomain } from '../../dns/checkDomain.ts';
import type { SendingDomain } from '../../dns/expectedRecord.ts';
import { subjectsOf } from '../../domains/history/subjects.ts';
import { formatDuration } from './duration.ts';
import type { FailurePolicy } from './failurePolicy.ts';
import { type DomainReport, exitCodeOf, type ReportLine } from './report.ts';

const DOMAINS_AT_ONCE = 4;

export type Checker = {
  dnsClient: DnsClient;
  failurePolicy: FailurePolicy;
  /** Null shows no progress. */
  terminal: Terminal | null;
  advice: AdviceOptions;
};

type RecheckOptions = {
  confirm: number;
  /** Milliseconds for which domains that aren't OK are checked again. */
  wait?: number;
  interval: number;
};

export async function checkDomains(
  checker: Checker,
  domains: readonly SendingDomain[],
  options: RecheckOptions,
): Promise<DomainReport[]> {
  const reports = await checkOnce(checker, domains);
  return options.wait === undefined
    ? confirmFailures(checker, reports, options)
    : waitUntilOk(checker, reports, options.wait, options);
}

async function checkOnce(checker: Checker, domains: readonly SendingDomain[]): Promise<DomainReport[]> {
  const reports: DomainReport[] = [];
  let done = 0;
  const queue = domains.entries();
  const work = async () => {
    for (const [index, domain] of queue) {
      reports[index] = await checkDomain(checker, domain);
      checker.terminal?.progress(++done / domains.length, `${done} of ${domains.length} domains`);
    }
  };
  await Promise.all(Array.from({ length: DOMAINS_AT_ONCE }, work));
  checker.terminal?.clear();
  return reports;
}

async function checkDomain(
  { dnsClient, failurePolicy, advice: options }: Checker,
  domain: SendingDomain,
): Promise<DomainReport> {
  const start = performance.now();
  const { records, advice, watched } = await checkWholeDomain(dnsClient, domain, options);
  const checks = [...records, ...advice.toSorted(byAbout)];
  const subjects = subjectsOf(domain.dns ?? []);
  const lines = checks.map((check) =>
    failurePolicy(domain.name, check, check.kind === 'record' ? (subjects[check.index] ?? '') : check.about),
  );
  return {
    domain,
    checkedAtMs: Date.now(),
    durationMs: Math.round(performance.now() - start),
    lines,
    watched: watched.toSorted(byAbout),
  };
}

function byAbout(one: { about: string }, other: { about: string }): number {
  return one.about < other.about ? -1 : 1;
}

/** Repeats the check of failing domains. A line fails only if it fails each time. */
async function confirmFailures(
  checker: Checker,
  first: DomainReport[],
  { confirm, interval }: RecheckOptions,
): Promise<DomainReport[]> {
  let reports = first;
  for (let times = 1; times < confirm; times++) {
    const failing = reports.filter(({ lines }) => lines.some(({ isFailing }) => isFailing));
    if (failing.length === 0) break;
    const count = failing.flatMap(({ lines }) => lines.filter(({ isFailing }) => isFailing)).length;
    checker.terminal?.say(`${count} failed. Checking again in ${formatDuration(interval)} to confirm.`);
    await delay(interval);
    const again = await checkOnce(
      checker,
      failing.map(({ domain }) => domain),
    );
    reports = reports.map((report) => {
      const later = again.find(({ domain }) => domain === report.domain);
      return later === undefined ? report : { ...later, lines: pickBest(report.lines, later.lines) };
    });
  }
  return reports;
}

/** Repeats the check of domains that aren't OK, each when its result can have changed, and once more at the end. */
async function waitUntilOk(
  checker: Checker,
  first: DomainReport[],
  wait: number,
  { interval }: RecheckOptions,
): Promise<DomainReport[]> {
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
    checker.terminal?.say(
      `${open.length} of ${reports.length} domains not ok yet. Checking again in ${formatDuration(pause)}, for up to ${formatDuration(end - now)}.`,
    );
    await delay(pause);
    const due = open.filter((report) => next === end || dueAt(report) <= next);
    const again = await checkOnce(
      checker,
      due.map(({ domain }) => domain),
    );
    reports = reports.map((report) => again.find(({ domain }) => domain === report.domain) ?? report);
  }
}

/** Milliseconds for which resolvers cache the responses that aren't right. 0 for responses of name servers. */
function remainingTtlMs({ lines }: DomainReport): number {
  const open = lines.filter((line) => exitCodeOf([line]) !== 0);
  const ttls = open.map((line) => (line.kind === 'advice' || isFromNameServer(line.finding) ? 0 : line.ttl));
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
