import type { CheckResult } from '#contract/dnsCheck.ts';
import type { Baseline } from './baseline.ts';
import { type CheckItem, isChecked, isWrong, type ReportLine } from './report.ts';

export const FAIL_ON = ['fail', 'pending', 'warn', 'unknown'] as const satisfies CheckResult[];
export type FailOn = (typeof FAIL_ON)[number];

/** Decides for each line of a domain whether it makes the job fail. */
export type FailurePolicy = (domain: string, check: CheckItem) => ReportLine;

/** `failOn` has the results that fail besides wrong records; `baseline` has accepted faults. */
export function createFailurePolicy(failOn: readonly FailOn[], baseline: Baseline | null): FailurePolicy {
  return (domain, check) => {
    const isAccepted = baseline?.accepts(domain, check) ?? false;
    return { ...check, isAccepted, isFailing: !isAccepted && isChecked(check) && failsBy(failOn, check) };
  };
}

/** Wrong records always fail. Advice fails only with `warn`, whatever its result. */
function failsBy(failOn: readonly FailOn[], { kind, finding }: CheckItem): boolean {
  if (kind === 'advice') return failOn.includes('warn') && isWrong(finding);
  return finding.result === 'fail' || failOn.some((result) => result === finding.result);
}
