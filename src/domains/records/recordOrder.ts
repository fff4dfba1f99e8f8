import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { storedStatus } from '#contract/recordStatus.ts';

const LIVE = { fail: 0, unknown: 2, pending: 3, warn: 4, ok: 5 };
const STORED = { ...LIVE, fail: 1 };

/** How urgent a record is, 0 most. A live status counts before the stored one. */
export function rankRecord({ is_valid }: ReadableDnsRecord, finding: Finding | null): number {
  return finding === null ? STORED[storedStatus(is_valid)] : LIVE[finding.result];
}

export const isDone = (record: ReadableDnsRecord, finding: Finding | null) => rankRecord(record, finding) === LIVE.ok;
