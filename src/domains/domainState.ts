import type { ReadableDomain } from '#contract/domain.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { summarise } from './recordsSummary.ts';

/** The tones of the known words. The interface does not list them all: any other word is shown as it is, in neutral. */
const TONES = new Map<string | null, Tone>([
  ['pending', 'wait'],
  ['completed', 'good'],
  ['failed', 'bad'],
]);

export const toneOf = (word: string | null): Tone => TONES.get(word) ?? 'neutral';

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
    return total === 1 ? 'Its one DNS record is stored as valid.' : `All ${total} DNS records are stored as valid.`;
  const parts = [
    valid > 0 && `${valid} stored as valid`,
    broken > 0 && `${broken} stored as not valid`,
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
