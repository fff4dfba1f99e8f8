import type { Finding } from './dnsCheck.ts';

type Fault = { code: string; found: readonly string[] };

/** Whether a finding is the fault that was accepted, with the same values in any order, or can't tell. */
export function isSameFault(accepted: Fault, { result, code, found }: Fault & Pick<Finding, 'result'>): boolean {
  if (result === 'unknown' || result === 'pending') return true;
  if (result === 'ok' || code !== accepted.code) return false;
  return JSON.stringify(found.toSorted()) === JSON.stringify(accepted.found.toSorted());
}
