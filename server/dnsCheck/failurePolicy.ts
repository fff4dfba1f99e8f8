import type { CheckResult } from '#contract/dnsCheck.ts';
import type { Baseline } from './baseline.ts';
import { type CheckItem, isChecked, isWrong, type ReportLine } from './report.ts';

export const FAIL_ON = ['fail', 'pending', 'warn', 'unknown'] as const satisfies CheckResult[];
export type FailOn = (typeof FAIL_ON)[number];

/** Says of each check of a domain whether it makes the job fail. */
export type FailurePolicy = (domain: string, check: CheckItem) => ReportLine;

export function createFailurePolicy(failOn: readonly FailOn[], baseline: Baseline | null): FailurePolicy {
  return (domain, check) => {
    const isAccepted = baseline?.accepts(domain, check) ?? false;
    return { ...check, isAccepted, isFailing: !isAccepted && isChecked(check) && failsBy(failOn, check) };
  };
}

/** A record that is wrong always fails; advice, whatever its result, only where warnings do. */
function failsBy(failOn: readonly FailOn[], { kind, finding }: CheckItem): boolean {
  if (kind === 'advice') return failOn.includes('warn') && isWrong(finding);
  return finding.result === 'fail' || failOn.some((result) => result === finding.result);
}
