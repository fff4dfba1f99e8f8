import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { parseTime } from '../ui/time.ts';
import { findLatestFindings, isSettled, RESULT_LABELS, type LiveCheck } from './liveCheck.ts';

/** What the stored verdict and the live result mean together, in one or two sentences. */
export function describeVerdicts(stored: boolean | null, { result, diagnosis }: Finding): string[] {
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
  if (result === 'pending' && stored === false) {
    return [diagnosis, 'The service can see it once the old answers are gone.'];
  }
  return [diagnosis];
}

/** Records that the service counts as valid and the DNS has wrong: what people want to be told of at once. */
export function findAlarms({ dns }: ReadableDomain, check: LiveCheck | undefined): ReadableDnsRecord[] {
  // Before its end, the verdicts are those from before the check.
  if (check === undefined || check.completion === null) return [];
  const known = findLatestFindings(dns, check);
  return (dns ?? []).filter((record, index) => record.is_valid === true && known[index]?.finding.result === 'fail');
}

/** "3 right; 1 wrong; 1 spreading", and what that means for the domain as a whole where it is not plain. */
export function describeCheck({ dns, verification }: ReadableDomain, check: LiveCheck): string {
  const known = findLatestFindings(dns, check);
  if (known.length === 0) return 'No records to check.';
  const findings = known.flatMap((one) => one?.finding ?? []);
  const counts = Object.entries(RESULT_LABELS).flatMap(([result, { label }]) => {
    const count = findings.filter((finding) => finding.result === result).length;
    return count === 0 ? [] : [`${count} ${label.toLowerCase()}`];
  });
  const others = known.length - findings.length;
  if (others > 0) counts.push(`${others} not asked`);
  const waits = isRight(dns, check) && verification === 'pending';
  return `${counts.join('; ')}.${waits ? ' The DNS is right; the domain waits for the service.' : ''}`;
}

/** Whether every record is known, and nothing about any has to change or to be waited for. */
export function isRight(dns: ReadableDomain['dns'], check: LiveCheck): boolean {
  return findLatestFindings(dns, check).every((known) => known !== undefined && isSettled(known.finding));
}

/** When the last of the old answers about the records is gone, as far as that is known. */
export function lastUntil({ dns }: ReadableDomain, check: LiveCheck | undefined): Date | null {
  const times = findLatestFindings(dns, check).flatMap((known) => parseTime(known?.finding.until ?? null) ?? []);
  return times.toSorted((one, other) => one.getTime() - other.getTime()).at(-1) ?? null;
}
