import { normalizeDnsName, recordName } from '#contract/dnsName.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';

/** The domain that the names of its records are relative to. */
export type SendingDomain = Pick<ReadableDomain, 'name' | 'mail_from_domain'>;

/** The full name of a record, normalised; null when the listed name is not a valid one. */
export function resolveFullName({ name }: Pick<ReadableDnsRecord, 'name'>, domain: SendingDomain): string | null {
  const zone = normalizeDnsName(domain.name);
  if (zone === null || name === null) return null;
  // `normalizeDnsName` does not accept the asterisk of a wildcard.
  const [, wildcard, rest = ''] = /^\s*(\*(?:\.|$))?(.*)$/s.exec(name) ?? [];
  const full = recordName(rest, zone, normalizeDnsName(domain.mail_from_domain ?? ''));
  return full !== null && wildcard !== undefined ? `*.${full}` : full;
}
