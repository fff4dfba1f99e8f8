import type { Severity } from '#contract/domainHistory.ts';
import type { RecordStatus } from '#contract/recordStatus.ts';

/** What the strictest receiver does with mail that has this fault. */
export function severityOf(result: RecordStatus): Severity {
  return result === 'fail' ? 'refuses' : 'accepts';
}
