import type { Watch } from '../../dns/advice.ts';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import type { SendingDomain } from '../../dns/expectedRecord.ts';

export type CheckSubject = { kind: 'record'; record: ReadableDnsRecord } | { kind: 'advice'; about: string };

/** The check of one record or advice. `ttl`: seconds for which resolvers cache the responses. */
export type CheckItem = (
  | { kind: 'record'; record: ReadableDnsRecord; ttl: number }
  | { kind: 'advice'; about: string }
) & {
  finding: Finding;
};

export type ReportLine = CheckItem & {
  /** How a service names it. */
  subject: string;
  isAccepted: boolean;
  isFailing: boolean;
};

export type DomainReport = {
  domain: SendingDomain;
  /** When the check ended, in milliseconds since the epoch. */
  checkedAtMs: number;
  durationMs: number;
  /** The records in the order of the service, and then the advice. */
  lines: readonly ReportLine[];
  watched: readonly Pick<Watch, 'kind' | 'about' | 'finding'>[];
};

export type AcceptedFault = { domain: string; title: string; code: string };

export type CheckReport = {
  domains: readonly DomainReport[];
  /** Names of domains without records, which are not checked. */
  withoutRecords: readonly string[];
  fixed: readonly AcceptedFault[];
  /** Whether `is_valid` comes from a service, which checks again. */
  isOfService: boolean;
  /** Whether lists leave out what doesn't change the exit code. */
  showsOnlyProblems: boolean;
};

export function listShown({ domains, showsOnlyProblems }: CheckReport): readonly DomainReport[] {
  if (!showsOnlyProblems) return domains;
  const shown = domains.map((domain) => ({
    ...domain,
    lines: domain.lines.filter((line) => exitCodeOf([line]) !== 0),
  }));
  return shown.filter(({ lines }) => lines.length > 0);
}

type ResultCounts = Record<RecordStatus | 'accepted' | 'advice', number>;

export function countResults({ domains }: CheckReport): ResultCounts {
  const counts: ResultCounts = { ok: 0, warn: 0, fail: 0, pending: 0, unknown: 0, accepted: 0, advice: 0 };
  for (const line of domains.flatMap(({ lines }) => lines)) {
    if (line.isAccepted) counts.accepted++;
    else if (line.kind === 'record' || line.finding.result === 'fail') counts[line.finding.result]++;
    else if (line.finding.result === 'warn') counts.advice++;
  }
  return counts;
}

/** Formats counts like `5 ok, 1 fail, 2 advice`; without the statuses that none has, except `ok`. */
export function formatCounts(counts: ResultCounts): string {
  return Object.entries(counts)
    .filter(([name, count]) => name === 'ok' || count > 0)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ');
}

export function formatWithoutRecords({ withoutRecords: names }: CheckReport): string[] {
  return names.length === 0 ? [] : [`Not checked because they have no records (${names.length}): ${names.join(', ')}`];
}

export function needsChange({ result }: Pick<Finding, 'result'>): boolean {
  return result === 'fail' || result === 'warn';
}

/** Whether the check supports the type of the record. Others would make every job fail. */
export function isChecked({ finding }: CheckItem): boolean {
  return finding.code !== 'TYPE_UNSUPPORTED';
}

export type ExitCode = 0 | 1 | 3 | 4;

/** 1 if a line fails, else 3 if a record is unknown, else 4 if one is pending, else 0. */
export function exitCodeOf(lines: readonly ReportLine[]): ExitCode {
  if (lines.some(({ isFailing }) => isFailing)) return 1;
  const results = new Set(
    lines.flatMap((line) => (line.kind === 'record' && isChecked(line) && !line.isAccepted ? line.finding.result : [])),
  );
  if (results.has('unknown')) return 3;
  return results.has('pending') ? 4 : 0;
}

/** The title of a line, like `CNAME k1._domainkey.example.com` or `dmarc`. Not escaped: use `toPrintable`. */
export function titleOf(subject: CheckSubject): string {
  if (subject.kind === 'advice') return subject.about;
  return `${subject.record.type ?? '?'} ${subject.record.name || '@'}`;
}
