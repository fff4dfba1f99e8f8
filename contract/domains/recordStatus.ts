/**
 * The statuses of a DNS record, the worst first (docs/dns-check.md). `pending`: right, but not at all name servers yet, or a
 * resolver still has an old response. `unknown`: could not be checked.
 */
export const RECORD_STATUSES = ['fail', 'unknown', 'pending', 'warn', 'ok'] as const;
export type RecordStatus = (typeof RECORD_STATUSES)[number];

/** Whether the record works: `warn` leaves something to improve. */
export function works(status: RecordStatus): boolean {
  return status === 'ok' || status === 'warn';
}

/** The status that a service has stored as `is_valid`. */
export function storedStatus(isValid: boolean | null): RecordStatus {
  if (isValid === null) return 'unknown';
  return isValid ? 'ok' : 'fail';
}

/** Says that the stored and the live status of a record disagree; null if they don't. */
export function describeDisagreement(isValid: boolean | null, live: RecordStatus): string | null {
  if (isValid === true && live === 'fail') return 'The provider still has this record as OK, until it checks again.';
  if (isValid === false && works(live)) return "The provider hasn't checked this record again yet.";
  return null;
}
