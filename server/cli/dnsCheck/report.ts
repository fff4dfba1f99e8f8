import type { Finding, CheckResult, ResponsibleParty } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import type { SendingDomain } from '../../dns/expectedRecord.ts';

/** What a line is about: a record of the service, or advice. */
export type CheckSubject = { kind: 'record'; record: ReadableDnsRecord } | { kind: 'advice'; about: string };

/** The check of one record or advice. `ttl`: seconds for which resolvers cache the responses. */
export type CheckItem = (
  | { kind: 'record'; record: ReadableDnsRecord; ttl: number }
  | { kind: 'advice'; about: string }
) & {
  finding: Finding;
};

/** A check, and whether it makes the job fail. */
export type ReportLine = CheckItem & {
  /** The baseline accepts the fault, so it does not count. */
  isAccepted: boolean;
  /** Whether the line makes the job fail. */
  isFailing: boolean;
};

export type DomainReport = {
  domain: SendingDomain;
  /** When the check ended, in milliseconds since the epoch. */
  checkedAtMs: number;
  /** Milliseconds. */
  durationMs: number;
  /** The records in the order of the service, and then the advice. */
  lines: readonly ReportLine[];
};

/** A failure that the baseline accepts. */
export type AcceptedFault = { domain: string; title: string; code: string };

/** The data of every output format. */
export type CheckReport = {
  /** Ordered by name. */
  domains: readonly DomainReport[];
  /** Names of domains without records, which are not checked. */
  withoutRecords: readonly string[];
  /** Faults that the baseline accepts, but that are gone. */
  fixed: readonly AcceptedFault[];
  /** Whether `is_valid` is the verdict of a service, which looks again. */
  isOfService: boolean;
  /** Whether lists leave out what is right or accepted. */
  showsOnlyWrong: boolean;
};

/** The domains with the lines to show. */
export function listShown({ domains, showsOnlyWrong }: CheckReport): readonly DomainReport[] {
  if (!showsOnlyWrong) return domains;
  const shown = domains.map((domain) => ({
    ...domain,
    lines: domain.lines.filter((line) => exitCodeOf([line]) !== 0),
  }));
  return shown.filter(({ lines }) => lines.length > 0);
}

type ResultCounts = Record<CheckResult | 'accepted' | 'advice', number>;

/** Counts records by result, and advice that is to be followed. Accepted faults of both are counted separately. */
export function countResults({ domains }: CheckReport): ResultCounts {
  const counts: ResultCounts = { ok: 0, warn: 0, fail: 0, pending: 0, unknown: 0, accepted: 0, advice: 0 };
  for (const line of domains.flatMap(({ lines }) => lines)) {
    if (line.isAccepted) counts.accepted++;
    else if (line.kind === 'record') counts[line.finding.result]++;
    else if (isWrong(line.finding)) counts.advice++;
  }
  return counts;
}

/** Formats counts like `5 right (1 with advice), 1 wrong, 0 pending, 0 unknown`. */
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

/** A line that names domains without records; none when there are none. */
export function formatWithoutRecords({ withoutRecords: names }: CheckReport): string[] {
  return names.length === 0 ? [] : [`Without records, so not checked (${names.length}): ${names.join(', ')}`];
}

/** Whether something must be changed. Pending and unknown results need no change. */
export function isWrong({ result }: Pick<Finding, 'result'>): boolean {
  return result === 'fail' || result === 'warn';
}

/** Whether the type of the record is supported. Others are ignored, or the job would always fail. */
export function isChecked({ finding }: CheckItem): boolean {
  return finding.code !== 'TYPE_UNSUPPORTED';
}

export type ExitCode = 0 | 1 | 3 | 4;

/** The exit code: 1 when a line fails, else 3 when a record is unknown, else 4 when one is pending, else 0. */
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

const TURNS: Record<ResponsibleParty, string> = {
  owner: 'you, in the DNS records',
  provider: 'the mail provider',
  dns_host: 'your DNS host',
  registrar: 'you, at the registrar',
  report_receiver: 'the receiver of the reports',
  checker: 'this check: ask again later, or look at its network',
};

/** Who has to act, as in "your DNS host"; null when nobody has to. */
export function formatTurn({ turn }: Pick<Finding, 'turn'>): string | null {
  return turn === null ? null : TURNS[turn];
}
