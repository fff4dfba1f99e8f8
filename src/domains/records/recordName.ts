import { normalizeDnsName, recordName } from '#contract/values/dnsName.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';

export type SendingDomain = Pick<ReadableDomain, 'name' | 'mail_from_domain'>;

export function normalizedNames({ name, mail_from_domain }: SendingDomain) {
  return { zone: normalizeDnsName(name), mailFrom: normalizeDnsName(mail_from_domain ?? '') };
}

export function resolveFullName({ name }: Pick<ReadableDnsRecord, 'name'>, domain: SendingDomain): string | null {
  const { zone, mailFrom } = normalizedNames(domain);
  if (zone === null || name === null) return null;
  // `normalizeDnsName` rejects the asterisk of a wildcard.
  const [, wildcard, rest = ''] = /^\s*(\*(?:\.|$))?(.*)$/s.exec(name) ?? [];
  const full = recordName(rest, zone, mailFrom);
  return full !== null && wildcard !== undefined ? `*.${full}` : full;
}
