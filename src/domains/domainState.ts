import type { ReadableDomain } from '#contract/domain.ts';
import { judgeDomainState, type DomainState } from '#contract/domainState.ts';
import { storedStatus, worstStatus } from '#contract/recordStatus.ts';
import type { Tone } from '../ui/values/StatusBadge.tsx';
import { countStatuses, RECORD_STATUS_LABELS } from './records/recordStatus.ts';

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

export function describeDomain(domain: ReadableDomain): string[] {
  return [describeVerified(domain.verified), describeRecords(domain), describeMailFrom(domain)];
}

function describeVerified(verified: boolean | null): string {
  if (verified === null) return "The service doesn't say whether the domain is verified.";
  return verified
    ? 'The domain is verified: the service accepts mail from its addresses.'
    : "The domain isn't verified: its addresses may not be able to send.";
}

function describeRecords(domain: ReadableDomain): string {
  if (domain.dns === null) return "The service didn't send its DNS records.";
  if (domain.dns.length === 0) return 'The service lists no DNS records.';
  return `DNS records at last check: ${countStatuses(storedStatuses(domain))}.`;
}

function describeMailFrom({ mail_from_domain: name, mail_from_verified: verified }: ReadableDomain): string {
  if (name === null) return "The service doesn't say where bounces go.";
  if (name === '') return 'No MAIL FROM domain is set: bounces use the provider’s own.';
  if (verified === null) return `Bounces should go to ${name}; the service doesn't say whether it is verified.`;
  return verified ? `Bounces go to ${name}, which is verified.` : `Bounces should go to ${name}, which isn't verified.`;
}
