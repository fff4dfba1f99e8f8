import type { ReadableDnsRecord } from '#contract/domain.ts';

export type RecordsSummary = { total: number; valid: number; broken: number; unknown: number };

/** Counts by stored verdict. A record whose verdict the service did not send is neither valid nor broken. */
export function summarise(records: readonly ReadableDnsRecord[] | null): RecordsSummary {
  const all = records ?? [];
  const valid = all.filter((record) => record.is_valid === true).length;
  const broken = all.filter((record) => record.is_valid === false).length;
  return { total: all.length, valid, broken, unknown: all.length - valid - broken };
}
