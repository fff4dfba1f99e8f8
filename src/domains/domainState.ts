import type { ReadableDomain } from '#contract/domain.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { summarise } from './dnsRecord.ts';

/** The words seen so far; any other word of another service is shown as it is, without a colour. */
const TONES: Record<string, Tone> = { pending: 'wait', completed: 'good', failed: 'bad' };

export const toneOf = (word: string | null): Tone => TONES[word ?? ''] ?? 'neutral';

export function recordsTone(domain: ReadableDomain): Tone {
  const { total, valid, broken } = summarise(domain.dns);
  if (total === 0) return 'neutral';
  if (broken === 0) return valid === total ? 'good' : 'neutral';
  return valid === 0 ? 'bad' : 'warn';
}

/** "3 of 5 valid": computed from the records, so that one broken record never paints the others. */
export function recordsWords(domain: ReadableDomain): string {
  if (domain.dns === null) return 'Not sent';
  const { total, valid } = summarise(domain.dns);
  return total === 0 ? 'No records' : `${valid} of ${total} valid`;
}

/** What the states of a domain mean together, one sentence each. */
export function explainDomain(domain: ReadableDomain): string[] {
  const { total, valid, broken, unknown } = summarise(domain.dns);
  const mailFrom = domain.mail_from_domain;
  return [
    {
      true: 'The domain is verified: the service accepts mail from its addresses.',
      false: 'The domain is not verified: the service does not send from it yet.',
      null: 'The service does not say whether the domain is verified.',
    }[String(domain.verified) as 'true' | 'false' | 'null'],
    total === 0
      ? 'No DNS records are listed for it.'
      : broken === 0 && unknown === 0
        ? `All ${total} DNS records are stored as valid.`
        : `Of ${total} DNS records ${valid} ${is(valid)} stored as valid` +
          (broken > 0 ? `, ${broken} ${is(broken)} not` : '') +
          (unknown > 0 ? `, ${unknown} without a verdict` : '') +
          '.',
    mailFrom === null || mailFrom === ''
      ? 'No MAIL FROM domain is set: bounces use the provider’s own.'
      : domain.mail_from_verified === true
        ? `Bounces come back to ${mailFrom}, which is verified.`
        : `Bounces should come back to ${mailFrom}, which is not verified.`,
  ];
}

const is = (count: number) => (count === 1 ? 'is' : 'are');
