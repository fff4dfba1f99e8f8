import type { CheckResult, Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { parseTime } from '../../ui/format/time.ts';
import { countResult, findLatestFindings, isSettled, RESULT_LABELS, type LiveCheck } from './liveCheck.ts';

/** Explains the stored verdict and the live result together, in one or two sentences. */
export function describeVerdicts(stored: boolean | null, { result, diagnosis, until }: Finding): string[] {
  if (result === 'ok') {
    if (stored === true) return ['Published and accepted.'];
    return stored === false ? ['Published correctly. The service has not looked again yet.'] : ['Published correctly.'];
  }
  if (result === 'fail' && stored === true) {
    return [
      'The service still counts this record as valid, but it is not. Mail may stop at its next check.',
      diagnosis,
    ];
  }
  if (result === 'pending' && stored === false && until !== null) {
    return [diagnosis, 'The service can see it once the old answers are gone.'];
  }
  return [diagnosis];
}

/** The records that are stored as valid, but wrong in the DNS now. Empty until the check has ended. */
export function findAlarms({ dns }: ReadableDomain, check: LiveCheck | undefined): ReadableDnsRecord[] {
  // The stored verdicts are updated only at the end of the check.
  if (check === undefined || check.completion === null) return [];
  const latest = findLatestFindings(dns, check);
  return (dns ?? []).filter((record, index) => record.is_valid === true && latest[index]?.finding.result === 'fail');
}

/** "3 correct; 1 needs fixing; 1 propagating.", and whether the domain only waits for the service. */
export function describeCheck({ dns, verification }: ReadableDomain, check: LiveCheck): string {
  const latest = findLatestFindings(dns, check);
  if (latest.length === 0) return 'No records to check.';
  const findings = latest.flatMap((one) => one?.finding ?? []);
  const counts = (Object.keys(RESULT_LABELS) as CheckResult[]).flatMap((result) => {
    const count = findings.filter((finding) => finding.result === result).length;
    return count === 0 ? [] : [countResult(result, count)];
  });
  const others = latest.length - findings.length;
  if (others > 0) counts.push(`${others} not checked`);
  const waits = isRight(dns, check) && verification === 'pending';
  return `${counts.join('; ')}.${waits ? ' The DNS is correct; the domain waits for the service.' : ''}`;
}

/** Whether all records were checked and are settled (`isSettled`). */
export function isRight(dns: ReadableDomain['dns'], check: LiveCheck): boolean {
  return findLatestFindings(dns, check).every((latest) => latest !== undefined && isSettled(latest.finding));
}

/** When the last old response about the records expires; null when that is not known. */
export function lastUntil({ dns }: ReadableDomain, check: LiveCheck | undefined): Date | null {
  const times = findLatestFindings(dns, check).flatMap((latest) => parseTime(latest?.finding.until ?? null) ?? []);
  return times.toSorted((one, other) => one.getTime() - other.getTime()).at(-1) ?? null;
}
