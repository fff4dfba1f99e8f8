import type { Finding, CheckResult } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import type { SendingDomain } from '../dns/expectedRecord.ts';

/** What is checked: a record of the service, or what nobody asked for but mail depends on. */
export type CheckSubject = { kind: 'record'; record: ReadableDnsRecord } | { kind: 'advice'; about: string };

/** `ttl`: seconds for which resolvers may remember what was found. */
export type CheckItem = (
  | { kind: 'record'; record: ReadableDnsRecord; ttl: number }
  | { kind: 'advice'; about: string }
) & {
  finding: Finding;
};

/** A check, and what the job that asked makes of it. */
export type ReportLine = CheckItem & {
  /** Wrong, but known to be: it does not count. */
  isAccepted: boolean;
  /** What makes the job fail. */
  isFailing: boolean;
};

export type DomainReport = {
  domain: SendingDomain;
  /** When its check ended, in milliseconds since 1970. */
  checkedAtMs: number;
  /** Milliseconds. */
  durationMs: number;
  /** The records in the order of the service, then advice. */
  lines: readonly ReportLine[];
};

/** A failure that the baseline accepts. */
export type AcceptedFault = { domain: string; title: string; code: string };

/** What every format writes. */
export type CheckReport = {
  /** By name. */
  domains: readonly DomainReport[];
  /** Names of domains that nothing is expected of, so that nobody was asked. */
  withoutRecords: readonly string[];
  /** What the baseline accepts without need: it does not fail any more. */
  fixed: readonly AcceptedFault[];
};

export type ResultCounts = Record<CheckResult | 'accepted' | 'advice', number>;

/** Records by their result and advice that is to be followed; what is accepted, of both, is counted apart. */
export function countResults({ domains }: CheckReport): ResultCounts {
  const counts: ResultCounts = { ok: 0, warn: 0, fail: 0, pending: 0, unknown: 0, accepted: 0, advice: 0 };
  for (const line of domains.flatMap(({ lines }) => lines)) {
    if (line.isAccepted) counts.accepted++;
    else if (line.kind === 'record') counts[line.finding.result]++;
    else if (isWrong(line.finding)) counts.advice++;
  }
  return counts;
}

/** As `5 right (1 with advice), 1 wrong, 0 pending, 0 unknown`. */
export function formatCounts({ ok, warn, fail, pending, unknown, accepted, advice }: ResultCounts): string {
  const parts = [
    `${ok + warn} right${warn > 0 ? ` (${warn} with advice)` : ''}`,
    `${fail} wrong`,
    `${pending} pending`,
    `${unknown} unknown`,
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(advice > 0 ? [`${advice} more to improve`] : []),
  ];
  return parts.join(', ');
}

/** A line about what was not checked, so that nobody takes it for right; none where there is nothing such. */
export function formatWithoutRecords({ withoutRecords: names }: CheckReport): string[] {
  return names.length === 0 ? [] : [`Without records, so not checked (${names.length}): ${names.join(', ')}`];
}

/** Whether there is something to do: what is pending or unknown passes by itself. */
export function isWrong({ result }: Pick<Finding, 'result'>): boolean {
  return result === 'fail' || result === 'warn';
}

/** Types that nobody checks do not count: a job that is red for ever is read by nobody. */
export function isChecked({ finding }: CheckItem): boolean {
  return finding.code !== 'TYPE_UNSUPPORTED';
}

export type ExitCode = 0 | 1 | 3 | 4;

/** 1: something fails; 3: something could not be asked; 4: not everybody sees what is right; the first that applies, else 0. */
export function exitCodeOf(lines: readonly ReportLine[]): ExitCode {
  if (lines.some(({ isFailing }) => isFailing)) return 1;
  const results = new Set(
    lines.flatMap((line) => (line.kind === 'record' && isChecked(line) ? line.finding.result : [])),
  );
  if (results.has('unknown')) return 3;
  return results.has('pending') ? 4 : 0;
}

/** What a line is about, such as `CNAME k1._domainkey.example.com` or `dmarc`. Made of data: see `printable`. */
export function titleOf(subject: CheckSubject): string {
  if (subject.kind === 'advice') return subject.about;
  return `${subject.record.type ?? '?'} ${subject.record.name || '@'}`;
}
