import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { parseTime } from '../ui/time.ts';
import { findingAt, isSettled, RESULTS, type LiveCheck } from './liveCheck.ts';

/** What the stored verdict and the live result mean together, in one or two sentences. */
export function standingOf(stored: boolean | null, { result, diagnosis }: Finding): string[] {
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
export function alarmsOf({ dns }: ReadableDomain, check: LiveCheck | undefined): ReadableDnsRecord[] {
  // Before its end, the verdicts are those from before the check.
  if (check === undefined || check.end === null) return [];
  return (dns ?? []).filter(
    (record, index) => record.is_valid === true && findingAt(check, index)?.finding.result === 'fail',
  );
}

/** "3 right; 1 wrong; 1 spreading", and what that means for the domain as a whole where it is not plain. */
export function explainCheck(domain: ReadableDomain, { found }: LiveCheck): string {
  const findings = found.flatMap((one) => (one.kind === 'record' ? [one.finding] : []));
  if (findings.length === 0) return 'No record was asked about.';
  const counts = Object.entries(RESULTS).flatMap(([result, { word }]) => {
    const count = findings.filter((finding) => finding.result === result).length;
    return count === 0 ? [] : [`${count} ${word.toLowerCase()}`];
  });
  const waits = findings.every(isSettled) && domain.verification === 'pending';
  return `${counts.join('; ')}.${waits ? ' The DNS is right; the domain waits for the service.' : ''}`;
}

/** When the last of the old answers about the records is gone, as far as that is known. */
export function lastUntil({ found }: LiveCheck): Date | null {
  const times = found.flatMap((one) => (one.kind === 'record' ? (parseTime(one.finding.until) ?? []) : []));
  return times.toSorted((one, other) => one.getTime() - other.getTime()).at(-1) ?? null;
}
