import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import type { Baseline } from './baseline.ts';
import { type CheckItem, isChecked, type ReportLine } from './report.ts';

export const FAIL_ON = ['fail', 'pending', 'warn', 'unknown'] as const satisfies RecordStatus[];
export type FailOn = (typeof FAIL_ON)[number];

/** `subject` is how a service names what is checked. */
export type FailurePolicy = (domain: string, check: CheckItem, subject: string) => ReportLine;

/** Decides which lines make the job fail: `failOn` has the statuses that do besides `fail`. */
export function createFailurePolicy(failOn: readonly FailOn[], baseline: Baseline | null): FailurePolicy {
  return (domain, check, subject) => {
    const isAccepted = baseline?.accepts(domain, check, subject) ?? false;
    return { ...check, subject, isAccepted, isFailing: !isAccepted && isChecked(check) && failsBy(failOn, check) };
  };
}

/** Advice fails if a receiver refuses mail for it, or with `warn`. */
function failsBy(failOn: readonly FailOn[], { kind, finding }: CheckItem): boolean {
  if (kind === 'advice') return finding.result === 'fail' || (failOn.includes('warn') && finding.result === 'warn');
  return finding.result === 'fail' || failOn.some((result) => result === finding.result);
}
