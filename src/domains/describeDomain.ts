import type { ReadableDomain } from '#contract/domain.ts';
import { summarise } from './domainState.ts';

/** Explains the states of a domain, one sentence each: verified, DNS records, MAIL FROM. */
export function describeDomain(domain: ReadableDomain): string[] {
  return [describeVerified(domain.verified), describeRecords(domain), describeMailFrom(domain)];
}

function describeVerified(verified: boolean | null): string {
  if (verified === null) return 'The service does not say whether the domain is verified.';
  return verified
    ? 'The domain is verified: the service accepts mail from its addresses.'
    : 'The domain is not verified: its addresses may not be able to send.';
}

function describeRecords({ dns }: ReadableDomain): string {
  const { total, valid, broken, unknown } = summarise(dns);
  if (dns === null) return 'The service did not send its DNS records.';
  if (total === 0) return 'No DNS records are listed for it.';
  if (valid === total)
    return total === 1
      ? 'Its one DNS record was valid at last check.'
      : `All ${total} DNS records were valid at last check.`;
  const parts = [
    valid > 0 && `${valid} valid at last check`,
    broken > 0 && `${broken} not valid at last check`,
    unknown > 0 && `${unknown} without a verdict`,
  ].filter((part) => part !== false);
  return `Of ${total === 1 ? 'one DNS record' : `${total} DNS records`}: ${parts.join(', ')}.`;
}

function describeMailFrom({ mail_from_domain: name, mail_from_verified: verified }: ReadableDomain): string {
  if (name === null) return 'The service does not say where bounces go.';
  if (name === '') return 'No MAIL FROM domain is set: bounces use the provider’s own.';
  if (verified === null) return `Bounces should come back to ${name}; the service does not say whether it is verified.`;
  return verified
    ? `Bounces come back to ${name}, which is verified.`
    : `Bounces should come back to ${name}, which is not verified.`;
}
