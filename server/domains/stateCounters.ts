import type { DomainState } from '#contract/domains/domainState.ts';

/** The counters in the head of the workspace. It has none of healthy domains: they are all the others. */
export const COUNTERS = {
  warning: 'warning_domain_count',
  pending: 'pending_domain_count',
  failing: 'failing_domain_count',
} as const;

/** The counters of the workspace that `summaryOf` reads. */
export const STATE_COUNTERS = ['domain_count', ...Object.values(COUNTERS)] as const;

export function summaryOf(
  counts: Readonly<Record<(typeof STATE_COUNTERS)[number], number>>,
): Record<'total' | DomainState, number> {
  const { domain_count: total, warning_domain_count: warning } = counts;
  const { pending_domain_count: pending, failing_domain_count: failing } = counts;
  return { total, healthy: total - warning - pending - failing, warning, pending, failing };
}
