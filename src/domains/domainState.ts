import type { ReadableDomain, ReadableDnsRecord } from '#contract/domain.ts';
import type { DomainState } from '#contract/domainState.ts';
import type { Tone } from '../ui/values/StatusBadge.tsx';
/** Tone and label of each state of a domain. */
export const DOMAIN_STATE_LABELS: Record<DomainState, { tone: Tone; label: string }> = {
  healthy: { tone: 'good', label: 'Healthy' },
  pending: { tone: 'wait', label: 'Being set up' },
  failing: { tone: 'bad', label: 'Needs fixing' },
};

export function recordsTone(domain: ReadableDomain): Tone {
  const { total, valid, broken } = summarise(domain.dns);
  if (total === 0) return 'neutral';
  if (broken === 0) return valid === total ? 'good' : 'neutral';
  return valid === 0 ? 'bad' : 'warn';
}

/** "3 of 5 valid", counted from the records. */
export function describeRecordCounts(domain: ReadableDomain): string {
  if (domain.dns === null) return 'Not sent';
  const { total, valid } = summarise(domain.dns);
  return total === 0 ? 'No records' : `${valid} of ${total} valid`;
}

type RecordsSummary = { total: number; valid: number; broken: number; unknown: number };

/** Counts by stored verdict. A record whose verdict the service did not send is neither valid nor broken. */
export function summarise(records: readonly ReadableDnsRecord[] | null): RecordsSummary {
  const all = records ?? [];
  const valid = all.filter((record) => record.is_valid === true).length;
  const broken = all.filter((record) => record.is_valid === false).length;
  return { total: all.length, valid, broken, unknown: all.length - valid - broken };
}
