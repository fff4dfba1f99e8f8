import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';

const RANKS: Record<Finding['result'], number> = { fail: 0, unknown: 2, pending: 3, warn: 4, ok: 5 };

/** How soon somebody has to look at a record: 0 is the first. A live result counts before the stored verdict. */
export function rankRecord({ is_valid }: ReadableDnsRecord, finding: Finding | null): number {
  if (finding !== null) return RANKS[finding.result];
  return is_valid === false ? 1 : is_valid === null ? 2 : RANKS.ok;
}

/** Whether nothing is left to do, so that one line says it all. */
export const isDone = (record: ReadableDnsRecord, finding: Finding | null) => rankRecord(record, finding) === RANKS.ok;
