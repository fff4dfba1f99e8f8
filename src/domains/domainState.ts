import type { ReadableDomain } from '#contract/domain.ts';
import { judgeDomainState, type DomainState } from '#contract/domainState.ts';
import { storedStatus, worstStatus } from '#contract/recordStatus.ts';
import type { Tone } from '../ui/values/StatusBadge.tsx';
import { RECORD_STATUS_LABELS } from './records/recordStatus.ts';

export const DOMAIN_STATE_LABELS: Record<DomainState, { tone: Tone; label: string }> = {
  healthy: { tone: 'good', label: 'Healthy' },
  warning: { tone: 'warn', label: 'Advice' },
  pending: { tone: 'wait', label: 'Pending' },
  failing: { tone: 'bad', label: 'Failing' },
};

const storedStatuses = ({ dns }: ReadableDomain) => (dns ?? []).map(({ is_valid }) => storedStatus(is_valid));

export const countFailed = (domain: ReadableDomain) =>
  storedStatuses(domain).filter((status) => status === 'fail').length;

/** "3 of 5 OK", in the tone of the worst record. While a domain is being set up, none is bad yet. */
export function summarizeRecords(domain: ReadableDomain): { tone: Tone; text: string } {
  if (domain.dns === null) return { tone: 'neutral', text: 'Not sent' };
  const statuses = storedStatuses(domain);
  const worst = worstStatus(statuses);
  if (worst === null) return { tone: 'neutral', text: 'No records' };
  const text = `${statuses.filter((status) => status === 'ok').length} of ${statuses.length} OK`;
  const isSettingUp = worst === 'fail' && judgeDomainState(domain) === 'pending';
  return { tone: isSettingUp ? 'wait' : RECORD_STATUS_LABELS[worst].tone, text };
}
